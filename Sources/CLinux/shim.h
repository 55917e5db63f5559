/* Parts of the C library that Swift's Glibc module leaves out. */
#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/timex.h>

/* Declared only under _GNU_SOURCE. */
extern int pthread_setname_np(pthread_t thread, const char *name);
extern int pipe2(int ends[2], int flags);
extern int memfd_create(const char *name, unsigned int flags);

#endif
