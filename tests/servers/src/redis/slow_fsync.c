/* Makes fsync and fdatasync of every thread but the first take SLOW_FSYNC_MS milliseconds longer. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static void wait_for_disk(void) {
    const char *text = getenv("SLOW_FSYNC_MS");
    if (!text || gettid() == getpid()) return;
    long ms = atol(text);
    struct timespec pause = {ms / 1000, ms % 1000 * 1000000L};
    nanosleep(&pause, 0);
}

int fsync(int file) {
    wait_for_disk();
    return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(file);
}

int fdatasync(int file) {
    wait_for_disk();
    return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(file);
}
