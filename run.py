"""Noughts in two commands. This file needs nothing but Python; everything else goes into .venv beside it.

    python3 run.py [--host 0.0.0.0] [--port 8000]   put the site up
    python3 run.py test [pytest options]            lint, types and every test; with options, those tests only
    python3 run.py test --quick                     in a minute: no browser, SQLite only, nothing slow
    python3 run.py bench [name]                     measure: the scripts in bench/
    python3 run.py screenshots                      take the pictures in docs/ again
    python3 run.py <command> ...                    a command of the site, such as create-user
    python3 run.py help                             all options and commands
"""
import sys

# All of this file is old syntax on purpose: an old Python must get as far as the next sentence.
if sys.version_info < (3, 11):
    sys.exit("Noughts needs Python 3.11 or newer, and this is Python %d.%d: install a newer one and start "
             "run.py with it." % sys.version_info[:2])

import argparse
import ast
import errno
import hashlib
import importlib.util
import os
import socket
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
STAMP = VENV / "installed.txt"  # which Python and which pins .venv holds
RUNTIME, DEVELOPMENT = "requirements.txt", "requirements-dev.txt"


def main(words):
    if words[:1] in (["help"], ["--help"], ["-h"]):
        show_help()
    elif not words or words[0].startswith("-"):
        serve(options_parser().parse_args(words))
    elif words[0] in ("test", "bench", "screenshots"):
        {"test": test, "bench": bench, "screenshots": screenshots}[words[0]](words[1:])
    else:
        command(words)


# Help

def show_help():
    """Everything that this file can do. It is read from the source, so it needs no .venv."""
    text = options_parser().format_help() + "\ncommands of the site:\n"
    for words, sentence in sorted(site_commands()):
        text += "  %-24s%s\n" % (words, sentence)
    say(text.replace("python3", "py") if os.name == "nt" else text)


def site_commands():
    for path in (ROOT / "webapp").rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        for node in ast.parse(source).body if "@click.command(" in source else []:
            if isinstance(node, ast.FunctionDef) and "click.command" in ast.unparse(node.decorator_list[:1]):
                yield " ".join(usage(node.decorator_list)), ast.get_docstring(node).splitlines()[0]


def usage(decorators):
    """The words to type: the name of the command, then its arguments in capitals."""
    for call in decorators:
        name = call.args[0].value
        if call.func.attr == "command":
            yield name
        elif call.func.attr == "argument":
            yield "[%s]" % name.upper() if any(given.arg == "default" for given in call.keywords) else name.upper()


# The environment

def prepare(pins):
    """Have the pinned packages in .venv. When they are there already, this starts no program."""
    version = "%d.%d" % sys.version_info[:2]
    held = STAMP.read_text().split() if STAMP.exists() and PYTHON.exists() else []
    if held[:1] != [version]:
        make_environment()
        held = [version]
    if digest(pins) in held:
        return
    STAMP.write_text(version)  # so that an install cut short does not look like a finished one
    install(pins)
    STAMP.write_text("\n".join([version, digest(pins), digest(RUNTIME)]))  # both sets hold the runtime's pins


def digest(pins):
    return hashlib.sha256((ROOT / pins).read_bytes()).hexdigest()


def make_environment():
    if not importlib.util.find_spec("venv") or not importlib.util.find_spec("ensurepip"):
        sys.exit("This Python came without its venv module: on Debian and Ubuntu type "
                 "'sudo apt install python3-venv', then start this again.")
    say("Making .venv ...")
    made = subprocess.run([sys.executable, "-m", "venv", "--clear", VENV], capture_output=True, text=True)
    if made.returncode:
        sys.exit("The folder .venv could not be made: " + last_line(made.stderr or made.stdout))


def install(pins):
    say("Installing the packages in %s; only this time it needs the network, and about a minute ..." % pins)
    done = subprocess.run(module("pip", "install", "--quiet", "--no-input", "--disable-pip-version-check",
                                 "--retries", "2", "--require-hashes", "-r", ROOT / pins),
                          stderr=subprocess.PIPE, text=True)
    if done.returncode and ("Retrying (" in done.stderr or "(from versions: none)" in done.stderr):
        sys.exit("The packages could not be fetched: connect to the network, then start this again.")
    if done.returncode:
        sys.exit("The packages could not be installed; pip says: " + last_line(done.stderr))


# The site

def options_parser():
    parser = argparse.ArgumentParser(usage="\n" + __doc__.partition("\n\n")[2])
    parser.add_argument("--host", default="127.0.0.1", help="0.0.0.0 lets everyone in the room in")
    parser.add_argument("--port", default=8000, type=int, help="8000 if left out; 0 takes any that is free")
    return parser


def serve(options):
    listener = listen(options.host, options.port)
    prepare(RUNTIME)
    bring_database_up_to_date()
    os.chdir(ROOT)
    # Old guests go while the site comes up; an early Ctrl-C is meant for the site, and leaves this alone.
    subprocess.Popen(flask("purge"), stdout=subprocess.DEVNULL, start_new_session=True)
    port = listener.getsockname()[1]
    os.environ.setdefault("NOUGHTS_ADDRESS", address_for_others(options.host, port))
    for line in caution() + greeting(options.host, port):
        say(line)
    hand_over(listener)


def listen(host, port):
    """Take the port before anything slow happens; a browser that comes early waits in its queue."""
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OverflowError:
        sys.exit("Ports have numbers from 0 to 65535: choose one of those, as with --port 8000.")
    except OSError as error:
        sys.exit({
            errno.EADDRINUSE: "Port %d is taken, perhaps by Noughts itself: stop that program, or choose "
                              "another port, as with --port %d." % (port, port % 65535 + 1),
            errno.EACCES: "Only administrators can use port %d: choose another, as with --port 8000." % port,
        }.get(error.errno, "This machine has no address %s to serve at: leave --host out, or give it "
                           "0.0.0.0 for every address it has." % host))


def bring_database_up_to_date():
    """Ask a light process how the schema stands; the migration machinery loads only when there is work."""
    asked = subprocess.run(module("webapp.schema"), cwd=ROOT, capture_output=True, text=True)
    if asked.returncode:
        sys.exit("Noughts cannot start. " + last_line(asked.stderr))
    if asked.stdout.strip() == "newer":
        sys.exit("The database was made by a newer version of Noughts: update this folder to that version, "
                 "or restore a backup from before.")
    if asked.stdout.strip() != "current" and attend(flask("upgrade-database")):
        sys.exit("The database could not be brought up to date; nothing was started.")


def caution():
    if os.name == "nt" or os.geteuid() != 0:
        return []
    return ["You started Noughts as root. Somebody who finds a fault in it could then control your whole machine. "
            "Stop it, and start it as an ordinary user."]


def greeting(host, port):
    if host not in ("0.0.0.0", "::"):
        return ["Noughts is at %s (Ctrl-C stops it)." % url(host, port)]
    room = [url(address, port) for address in room_addresses()]
    return ["Noughts is at %s on this machine (Ctrl-C stops it)." % url("127.0.0.1", port),
            "For everyone in the room it is at %s." % " or ".join(room) if room else
            "Phones cannot reach it: this machine is not on a network."]


def address_for_others(host, port):
    """What links to pass on begin with; empty if this machine is not on a network."""
    hosts = room_addresses() if host in ("0.0.0.0", "::") else [host]
    return url(hosts[0], port) if hosts else ""


def url(host, port):
    return "http://%s:%d" % ("[%s]" % host if ":" in host else host, port)


def room_addresses():
    """The addresses of this machine's interfaces, the one towards the outside first. Sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        found = interface_addresses(probe) if sys.platform == "linux" else []
        try:
            probe.connect(("192.0.2.1", 9))  # kept for documentation; to connect UDP is only to pick a route
            found.insert(0, probe.getsockname()[0])
        except OSError:
            pass  # no way out, but perhaps a network of its own
    return [address for address in dict.fromkeys(found) if not address.startswith("127.")]


def interface_addresses(probe):
    import fcntl  # Windows has none

    found = []
    for _, name in socket.if_nameindex():
        try:
            answer = fcntl.ioctl(probe, 0x8915, name.encode().ljust(40, b"\0"))  # SIOCGIFADDR
            found.append(socket.inet_ntoa(answer[20:24]))
        except OSError:
            pass  # an interface without an IPv4 address
    return found


def hand_over(listener):
    """To the server in .venv: the socket itself, or on Windows, where a program inherits none, its address."""
    if os.name == "nt":
        host, port = listener.getsockname()[:2]
        listener.close()
        become(module("webapp.serving", "--host", host, "--port", port))
    listener.set_inheritable(True)
    become(module("webapp.serving", "--fd", listener.fileno()))


# The rest

def test(options):
    """The tests say in their last lines what could not run on this machine."""
    prepare(DEVELOPMENT)
    os.chdir(ROOT)
    become(module("tests", *options))


def bench(names):
    known = sorted(path.stem for path in (ROOT / "bench").glob("[a-z]*.py"))
    if not known or set(names) - set(known):
        sys.exit("The benchmarks are the files in bench/: %s." % (", ".join(known) or "there are none yet"))
    prepare(DEVELOPMENT)
    os.chdir(ROOT)
    sys.exit(max([attend(module("bench." + name)) for name in names or known]))


def screenshots(words):
    prepare(DEVELOPMENT)
    os.chdir(ROOT)
    become(module("docs.screenshots", *words))


def command(words):
    """A command of the site, run in the caller's folder so that file names mean what they say there."""
    prepare(RUNTIME)
    if words[0] not in ("restore", "check-database"):  # what is there may be damaged, or of a newer version
        bring_database_up_to_date()
    become(flask(*words))


def flask(*words):
    return module("flask", "--app", ROOT / "wsgi.py", *words)


def module(name, *words):
    """The command line that runs a module inside .venv."""
    return [str(PYTHON), "-m", name] + [str(word) for word in words]


def become(program):
    """Hand this process over, so that signals reach the program itself; Windows can only wait for it."""
    if os.name == "nt":
        sys.exit(attend(program))
    os.execv(program[0], program)


def attend(program, patience=10):
    """Run a program to its end. Ctrl-C reaches it as well; then it has so many seconds to tidy up."""
    child = subprocess.Popen(program)
    try:
        return child.wait()
    except KeyboardInterrupt:
        try:
            child.wait(patience)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
        raise


def say(sentence):
    sys.stdout.write(sentence + "\n")
    sys.stdout.flush()


def last_line(text):
    """What a program said when it failed: its last line that is not the indented rest of one."""
    return ([line for line in text.splitlines() if line[:1].strip()] or ["no reason given"])[-1]


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except KeyboardInterrupt:
        sys.exit(130)
