/* An engine simulator: an OpenAI-compatible chat server that streams tokens on a fixed schedule.
 *
 * Usage: simulator FIRST_MS GAP_MS TOKENS
 *
 * Listens on a free port of 127.0.0.1 and prints it. Every POST is answered by a stream: the first
 * token after FIRST_MS, each further one after GAP_MS. A request whose body holds "model":"router"
 * is answered by a call of default_function in the format of Llama 3.1, any other by TOKENS words,
 * the first of which is "zegar" and the monotonic clock in microseconds: when it was sent.
 * One thread, epoll; ends with its standard input.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MAX_FD 4096
#define BODY_BYTES 262144

static const char *ROUTER[] = {"<|python_tag|>", "{\\\"", "name", "\\\": \\\"", "default",
                               "_function", "\\\", ", "\\\"parameters\\\": {}}"};
enum { ROUTER_TOKENS = sizeof ROUTER / sizeof *ROUTER };

struct connection {
    char *in;
    size_t length, needed, header;
    int is_streaming, is_router, sent;
    double due;
};

static struct connection connections[MAX_FD];
static double first_s, gap_s;
static int tokens, highest;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void drop(int fd) {
    free(connections[fd].in);
    memset(&connections[fd], 0, sizeof connections[fd]);
    close(fd);
}

static int put(int fd, const char *text, size_t length) {
    return send(fd, text, length, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)length;
}

static int put_event(int fd, const char *json) {
    char frame[1024];
    int size = snprintf(frame, sizeof frame, "%zx\r\ndata: %s\n\n\r\n", strlen(json) + 8, json);
    return put(fd, frame, size);
}

static int put_token(int fd, struct connection *c) {
    char json[512], clock[64];
    const char *word = c->is_router ? ROUTER[c->sent] : (c->sent % 8 ? "słowo " : "zdanie. ");
    if (!c->is_router && !c->sent) {
        snprintf(clock, sizeof clock, "zegar %.0f ", now() * 1e6);
        word = clock;
    }
    int id = c->is_router && !c->sent ? 128010 : 1000 + c->sent;
    snprintf(json, sizeof json,
             "{\"id\":\"sim\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"sim\","
             "\"choices\":[{\"index\":0,\"delta\":{\"content\":\"%s\"},\"finish_reason\":null,"
             "\"token_ids\":[%d]}]}",
             word, id);
    return put_event(fd, json);
}

static int put_end(int fd, struct connection *c) {
    char json[512];
    int ok = put_event(fd, "{\"id\":\"sim\",\"object\":\"chat.completion.chunk\",\"created\":1,"
                           "\"model\":\"sim\",\"choices\":[{\"index\":0,\"delta\":{},"
                           "\"finish_reason\":\"stop\"}]}");
    snprintf(json, sizeof json,
             "{\"id\":\"sim\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"sim\","
             "\"choices\":[],\"usage\":{\"prompt_tokens\":10,\"completion_tokens\":%d,"
             "\"total_tokens\":%d}}",
             c->sent, c->sent + 10);
    return ok && put_event(fd, json) && put_event(fd, "[DONE]") && put(fd, "0\r\n\r\n", 5);
}

static void begin(int fd, struct connection *c) {
    static const char head[] = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                               "Transfer-Encoding: chunked\r\n\r\n";
    c->is_router = memmem(c->in, c->length, "\"model\":\"router\"", 16) != NULL ||
                   memmem(c->in, c->length, "\"model\": \"router\"", 17) != NULL;
    c->is_streaming = 1;
    c->sent = 0;
    c->due = now() + first_s;
    if (!put(fd, head, sizeof head - 1)) drop(fd);
}

static void play(int fd, struct connection *c, double at) {
    int total = c->is_router ? ROUTER_TOKENS : tokens;
    while (c->is_streaming && c->due <= at) {
        if (!put_token(fd, c)) { drop(fd); return; }
        c->due += gap_s;
        if (++c->sent < total) continue;
        if (!put_end(fd, c)) { drop(fd); return; }
        c->is_streaming = 0;
        c->length = c->needed = 0;
    }
}

static void take(int fd) {
    struct connection *c = &connections[fd];
    if (!c->in) c->in = malloc(BODY_BYTES + 1);
    ssize_t got = recv(fd, c->in + c->length, BODY_BYTES - c->length, MSG_DONTWAIT);
    if (got <= 0) { if (got == 0 || errno != EAGAIN) drop(fd); return; }
    if (c->is_streaming) return;
    c->length += got;
    c->in[c->length] = 0;
    char *end = strstr(c->in, "\r\n\r\n");
    if (!end) return;
    char *field = strcasestr(c->in, "content-length:");
    c->needed = end + 4 - c->in + (field && field < end ? strtoul(field + 15, NULL, 10) : 0);
    if (c->length >= c->needed) begin(fd, c);
}

static void welcome(int listener, int loop) {
    int fd, one = 1;
    while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
        if (fd >= MAX_FD) { close(fd); continue; }
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
        epoll_ctl(loop, EPOLL_CTL_ADD, fd, &event);
        if (fd > highest) highest = fd;
    }
}

static int wait_ms(double at) {
    double next = at + 1;
    for (int fd = 0; fd <= highest; fd++)
        if (connections[fd].is_streaming && connections[fd].due < next) next = connections[fd].due;
    return next <= at ? 0 : (int)((next - at) * 1000 + 0.5);
}

int main(int count, char **words) {
    if (count != 4) { fprintf(stderr, "usage: simulator FIRST_MS GAP_MS TOKENS\n"); return 2; }
    first_s = atof(words[1]) / 1000, gap_s = atof(words[2]) / 1000, tokens = atoi(words[3]);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), loop = epoll_create1(0);
    if (bind(listener, (void *)&address, size) || listen(listener, 1024)) { perror("listen"); return 1; }
    getsockname(listener, (void *)&address, &size);
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    struct epoll_event events[256], event = {.events = EPOLLIN, .data.fd = listener};
    epoll_ctl(loop, EPOLL_CTL_ADD, listener, &event);
    event.data.fd = STDIN_FILENO;
    epoll_ctl(loop, EPOLL_CTL_ADD, STDIN_FILENO, &event);
    for (;;) {
        int ready = epoll_wait(loop, events, 256, wait_ms(now()));
        for (int i = 0; i < ready; i++) {
            int fd = events[i].data.fd;
            if (fd == STDIN_FILENO) return 0;
            if (fd == listener) welcome(listener, loop);
            else take(fd);
        }
        double at = now();
        for (int fd = 0; fd <= highest; fd++)
            if (connections[fd].is_streaming) play(fd, &connections[fd], at);
    }
}
