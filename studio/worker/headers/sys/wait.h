// Processes that were never started are not waited for.
#pragma once

#include <sys/types.h>

#include <cerrno>

#define WNOHANG 1
#define WIFEXITED(status) 0
#define WEXITSTATUS(status) 128

inline pid_t waitpid(pid_t, int*, int) { return errno = ECHILD, -1; }
