/* A load generator: keeps a number of chat streams open and times each one.
 *
 * Usage: load PORT STREAMS REQUESTS < BODY
 *
 * Sends the JSON body on standard input to POST /v1/chat/completions of 127.0.0.1:PORT, REQUESTS
 * times, STREAMS at once on connections that are kept. Prints a line for each request: microseconds
 * to the first content, microseconds to the end, content pieces, and 1 if it ended in [DONE].
 * The last line is the CPU time of this process in microseconds. One thread, epoll.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define TAIL_BYTES 64
#define READ_BYTES 65536
#define MAX_FD 4096

struct stream {
    double start, first;
    int pieces, is_done, is_open;
    char tail[TAIL_BYTES];
    size_t kept;
};

static struct stream streams[MAX_FD];
static char *request;
static size_t request_length;
static int port, left, running, loop;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static int dial(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1;
    if (fd < 0 || fd >= MAX_FD || connect(fd, (void *)&address, sizeof address)) return -1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
    epoll_ctl(loop, EPOLL_CTL_ADD, fd, &event);
    return fd;
}

static void ask(int fd) {
    memset(&streams[fd], 0, sizeof streams[fd]);
    streams[fd].is_open = 1;
    streams[fd].start = now();
    left--, running++;
    if (send(fd, request, request_length, MSG_NOSIGNAL) != (ssize_t)request_length) streams[fd].pieces = -1;
}

static void report(int fd, double at) {
    struct stream *s = &streams[fd];
    double first = s->first ? s->first : at;
    printf("%.0f %.0f %d %d\n", (first - s->start) * 1e6, (at - s->start) * 1e6, s->pieces, s->is_done);
    s->is_open = 0;
    running--;
}

/* Content pieces in `text`: "content": followed by a string that is not empty. */
static int count_pieces(const char *text, size_t length) {
    int pieces = 0;
    for (const char *p = text; (p = memmem(p, length - (p - text), "\"content\":", 10)) != NULL;) {
        p += 10;
        const char *end = text + length;
        while (p < end && *p == ' ') p++;
        if (p + 1 < end && p[0] == '"' && p[1] != '"') pieces++;
    }
    return pieces;
}

static int read_some(int fd) {
    static char buffer[TAIL_BYTES + READ_BYTES];
    struct stream *s = &streams[fd];
    memcpy(buffer, s->tail, s->kept);
    ssize_t got = recv(fd, buffer + s->kept, READ_BYTES, 0);
    double at = now();
    if (got <= 0) return -1;
    size_t length = s->kept + got, line = length;
    while (line && buffer[line - 1] != '\n') line--;
    s->pieces += count_pieces(buffer, line);
    if (s->pieces && !s->first) s->first = at;
    if (memmem(buffer, length, "[DONE]", 6)) s->is_done = 1;
    int is_end = length >= 5 && !memcmp(buffer + length - 5, "0\r\n\r\n", 5);
    s->kept = length - line > TAIL_BYTES ? TAIL_BYTES : length - line;
    memcpy(s->tail, buffer + length - s->kept, s->kept);
    return is_end;
}

static void step(int fd) {
    int state = read_some(fd);
    if (state == 0) return;
    report(fd, now());
    if (state < 0) {
        close(fd);
        fd = left > 0 ? dial() : -1;
    }
    if (left > 0 && fd >= 0) ask(fd);
}

int main(int count, char **words) {
    static char body[1 << 20], head[256];
    if (count != 4) { fprintf(stderr, "usage: load PORT STREAMS REQUESTS < BODY\n"); return 2; }
    port = atoi(words[1]), left = atoi(words[3]);
    int width = atoi(words[2]);
    size_t size = fread(body, 1, sizeof body, stdin);
    int head_size = snprintf(head, sizeof head,
                             "POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n"
                             "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n", port, size);
    request_length = head_size + size;
    request = malloc(request_length);
    memcpy(request, head, head_size), memcpy(request + head_size, body, size);
    loop = epoll_create1(0);
    for (int i = 0; i < width && left > 0; i++) {
        int fd = dial();
        if (fd < 0) { perror("connect"); return 1; }
        ask(fd);
    }
    struct epoll_event events[256];
    while (running > 0) {
        int ready = epoll_wait(loop, events, 256, 30000);
        if (ready <= 0) { fprintf(stderr, "no byte for 30 s\n"); return 1; }
        for (int i = 0; i < ready; i++) step(events[i].data.fd);
    }
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    printf("cpu %ld\n", (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000L +
                            used.ru_utime.tv_usec + used.ru_stime.tv_usec);
    return 0;
}
