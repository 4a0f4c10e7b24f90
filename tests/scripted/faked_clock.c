// Moves the wall clock of the process that it is loaded into, and nothing else: monotonic time and
// all waiting stay true (Debian's libfaketime returns at once from clock_nanosleep).
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile long long *ahead_s;  // the file FAKED_CLOCK, which others write
static int (*true_time)(clockid_t, struct timespec *);

__attribute__((constructor)) static void begin(void) {
  true_time = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  const char *path = getenv("FAKED_CLOCK");
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) abort();
  ahead_s = mmap(NULL, sizeof *ahead_s, PROT_READ, MAP_SHARED, file, 0);
  if (ahead_s == MAP_FAILED) abort();
  close(file);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  if (!true_time) begin();
  int failed = true_time(clock, now);
  if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += *ahead_s;
  return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  (void)zone;
  struct timespec exact;
  clock_gettime(CLOCK_REALTIME, &exact);
  now->tv_sec = exact.tv_sec;
  now->tv_usec = exact.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *into) {
  struct timespec exact;
  clock_gettime(CLOCK_REALTIME, &exact);
  if (into) *into = exact.tv_sec;
  return exact.tv_sec;
}
