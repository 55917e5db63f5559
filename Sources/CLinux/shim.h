/* Parts of the C library that Swift's Glibc module leaves out. */
#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timex.h>

/* Declared only under _GNU_SOURCE. */
extern int pthread_setname_np(pthread_t thread, const char *name);
extern int pipe2(int ends[2], int flags);
extern int accept4(int listener, struct sockaddr *address, socklen_t *length, int flags);
extern int ppoll(struct pollfd *descriptors, nfds_t count, const struct timespec *timeout, const sigset_t *mask);
extern int memfd_create(const char *name, unsigned int flags);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
extern void *memmem(const void *haystack, size_t length, const void *needle, size_t needle_length);

#endif
