"""Noughts in two commands. They need nothing but Python; everything else goes into .venv beside this file.

    python3 run.py [--host 0.0.0.0] [--port 8000]   put the site up
    python3 run.py test [pytest options]            lint, types and every test; with options, those tests only
    python3 run.py test --quick                     in a minute: no browser, SQLite only, nothing slow
    python3 run.py bench [name]                     measure: the scripts in bench/
    python3 run.py soak [--minutes 30]              endurance: a class at play while everything around it breaks
    python3 run.py security                         wapiti and pip-audit against the site
    python3 run.py screenshots                      take the pictures in docs/ again
    python3 run.py <command> ...                    a command of the site, such as create-user
    python3 run.py help                             all options and commands
"""
import sys

# All of this file is old syntax on purpose: an old Python must get as far as the next sentence.
if sys.version_info < (3, 11):
    sys.exit("Noughts needs Python 3.11 or newer, and this is Python %d.%d: install a newer one and start "
             "run.py with it." % sys.version_info[:2])

from webapp.launcher.words import run

if __name__ == "__main__":
    try:
        run(sys.argv[1:], __doc__.partition("\n\n")[2])
    except KeyboardInterrupt:
        sys.exit(130)
