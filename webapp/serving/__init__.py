"""How the site is served: a supervisor, its workers, and between HTTP and Flask a front that waits without threads."""
