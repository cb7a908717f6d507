/* Preloaded into the server. While the file SYNC_FAILS is there, nothing can be written through to the disk; the time of
   day is off by as many seconds as the file CLOCK_OFFSET says. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static int sync_fails(void) {
    const char *flag = getenv("SYNC_FAILS");
    return flag && access(flag, F_OK) == 0;
}

#define SYNC(name) \
    int name(int file) { \
        int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, #name); \
        if (sync_fails()) { errno = EIO; return -1; } \
        return real(file); \
    }

SYNC(fsync)
SYNC(fdatasync)

static long offset(void) {
    char text[32] = {0};
    const char *path = getenv("CLOCK_OFFSET");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return 0;
    long found = read(file, text, sizeof text - 1) > 0 ? atol(text) : 0;
    close(file);
    return found;
}

int clock_gettime(clockid_t which, struct timespec *when) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int kept = errno, result = real(which, when);
    if (!result && which == CLOCK_REALTIME) { when->tv_sec += offset(); errno = kept; }
    return result;
}
