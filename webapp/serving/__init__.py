"""How the site is served: a supervisor, a pool of workers, and between HTTP and Flask what waits without threads."""
