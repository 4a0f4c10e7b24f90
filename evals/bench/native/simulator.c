/* An engine simulator: an OpenAI-compatible chat server that streams tokens on a fixed schedule.
 *
 * Usage: simulator PORT FIRST_MS GAP_MS TOKENS
 *
 * Listens on PORT of 127.0.0.1 (0: a free one) and prints which. Every POST is answered by a stream
 * of events such as vLLM's: the first token after FIRST_MS, each further one after GAP_MS, as many
 * as max_tokens of the request and TOKENS allow. Each token holds the word "wyraz" once; the first
 * also "zegar" and the monotonic clock in microseconds: when it was sent. A request whose body holds
 * "model":"router" is answered by a call of default_function in the format of Llama 3.1. A chunk
 * with usage follows where include_usage asks for it. GET /v1/models and /health are answered too.
 * One thread, epoll; ends with its standard input and then prints the CPU time that it has taken.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MAX_FD 8192
#define IN_BYTES 262144
#define FRAME_BYTES 512
#define EVENTS 512

static const char *CALL[] = {"<|python_tag|>", "{\\\"", "name", "\\\": \\\"", "default",
                             "_function", "\\\", ", "\\\"parameters\\\": {}}"};
enum { CALL_TOKENS = sizeof CALL / sizeof *CALL };

struct frame {
    char text[FRAME_BYTES];
    size_t length;
};

struct connection {
    char *in;
    size_t length;
    int is_streaming, is_router, has_usage, sent, total;
    double due;
};

static struct connection connections[MAX_FD];
static struct frame role_frame, word_frame, stop_frame, end_frame, call_frames[CALL_TOKENS];
static double first_s, gap_s;
static int tokens, highest;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* One event in one chunk of HTTP. */
static void frame_event(struct frame *frame, const char *json) {
    int size = snprintf(frame->text, FRAME_BYTES, "%zx\r\ndata: %s\n\n\r\n", strlen(json) + 8, json);
    if (size < 0 || size >= FRAME_BYTES) abort();
    frame->length = (size_t)size;
}

static void frame_delta(struct frame *frame, const char *delta, const char *ids, const char *reason) {
    char json[FRAME_BYTES];
    snprintf(json, sizeof json,
             "{\"id\":\"chatcmpl-9f2c41d07b5e4a86b3c1d5e8f7a60924\",\"object\":"
             "\"chat.completion.chunk\",\"created\":1763880000,\"model\":\"default\",\"choices\":[{"
             "\"index\":0,\"delta\":{%s},\"logprobs\":null,\"finish_reason\":%s,\"token_ids\":%s}]}",
             delta, reason, ids);
    frame_event(frame, json);
}

static void frame_token(struct frame *frame, const char *word, const char *ids) {
    char delta[128];
    snprintf(delta, sizeof delta, "\"content\":\"%s\"", word);
    frame_delta(frame, delta, ids, "null");
}

static void frame_all(void) {
    frame_delta(&role_frame, "\"role\":\"assistant\",\"content\":\"\"", "null", "null");
    frame_delta(&stop_frame, "\"content\":\"\"", "null", "\"stop\"");
    frame_token(&word_frame, "wyraz ", "null");
    for (int i = 0; i < CALL_TOKENS; i++)
        frame_token(&call_frames[i], CALL[i], i ? "[1000]" : "[128010]");
    end_frame.length = (size_t)snprintf(end_frame.text, FRAME_BYTES, "e\r\ndata: [DONE]\n\n\r\n0\r\n\r\n");
}

static void drop(int fd) {
    free(connections[fd].in);
    memset(&connections[fd], 0, sizeof connections[fd]);
    close(fd);
}

static int put(int fd, const char *text, size_t length) {
    return send(fd, text, length, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)length;
}

static int put_frame(int fd, const struct frame *frame) { return put(fd, frame->text, frame->length); }

static int put_first(int fd) {
    struct frame frame;
    char word[64];
    snprintf(word, sizeof word, "wyraz zegar %.0f ", now() * 1e6);
    frame_token(&frame, word, "null");
    return put_frame(fd, &role_frame) && put_frame(fd, &frame);
}

static int put_token(int fd, const struct connection *c) {
    if (c->is_router) return put_frame(fd, &call_frames[c->sent]);
    return c->sent ? put_frame(fd, &word_frame) : put_first(fd);
}

static int put_usage(int fd, const struct connection *c) {
    struct frame frame;
    char json[FRAME_BYTES];
    snprintf(json, sizeof json,
             "{\"id\":\"chatcmpl-9f2c41d07b5e4a86b3c1d5e8f7a60924\",\"object\":"
             "\"chat.completion.chunk\",\"created\":1763880000,\"model\":\"default\",\"choices\":[],"
             "\"usage\":{\"prompt_tokens\":10,\"total_tokens\":%d,\"completion_tokens\":%d}}",
             c->sent + 10, c->sent);
    frame_event(&frame, json);
    return put_frame(fd, &frame);
}

static int put_end(int fd, const struct connection *c) {
    return put_frame(fd, &stop_frame) && (!c->has_usage || put_usage(fd, c)) && put_frame(fd, &end_frame);
}

static void play(int fd, struct connection *c, double at) {
    while (c->is_streaming && c->due <= at) {
        if (!put_token(fd, c)) { drop(fd); return; }
        c->due += gap_s;
        if (++c->sent < c->total) continue;
        if (!put_end(fd, c)) { drop(fd); return; }
        c->is_streaming = 0;
        c->length = 0;
    }
}

static void put_json(int fd, struct connection *c, const char *status, const char *json) {
    char text[1024];
    int size = snprintf(text, sizeof text,
                        "HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
                        status, strlen(json), json);
    c->length = 0;
    if (!put(fd, text, (size_t)size)) drop(fd);
}

static void answer_get(int fd, struct connection *c) {
    static const char models[] = "{\"object\":\"list\",\"data\":[{\"id\":\"default\",\"object\":\"model\","
                                 "\"created\":1,\"owned_by\":\"simulator\",\"max_model_len\":32768},"
                                 "{\"id\":\"router\",\"object\":\"model\",\"created\":1,"
                                 "\"owned_by\":\"simulator\",\"max_model_len\":32768}]}";
    if (!strncmp(c->in, "GET /v1/models", 14)) put_json(fd, c, "200 OK", models);
    else if (!strncmp(c->in, "GET /health", 11)) put_json(fd, c, "200 OK", "{}");
    else put_json(fd, c, "404 Not Found", "{}");
}

/* What follows "NAME": in the body, without spaces; NULL where it is not there. */
static const char *find_field(const char *body, const char *name) {
    const char *at = strstr(body, name);
    if (!at) return NULL;
    for (at += strlen(name); *at == ' ' || *at == ':'; at++) {}
    return at;
}

static int count_tokens(const char *body) {
    const char *most = find_field(body, "\"max_tokens\"");
    if (!most) most = find_field(body, "\"max_completion_tokens\"");
    int limit = most && isdigit((unsigned char)*most) ? atoi(most) : tokens;
    return limit > 0 && limit < tokens ? limit : tokens;
}

static void begin(int fd, struct connection *c, const char *body) {
    static const char head[] = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n"
                               "Transfer-Encoding: chunked\r\n\r\n";
    const char *model = find_field(body, "\"model\""), *usage = find_field(body, "\"include_usage\"");
    c->is_router = model && !strncmp(model, "\"router\"", 8);
    c->has_usage = usage && !strncmp(usage, "true", 4);
    c->total = c->is_router ? CALL_TOKENS : count_tokens(body);
    c->is_streaming = 1;
    c->sent = 0;
    c->due = now() + first_s;
    if (!put(fd, head, sizeof head - 1)) drop(fd);
}

static void take(int fd) {
    struct connection *c = &connections[fd];
    if (!c->in && !(c->in = malloc(IN_BYTES + 1))) abort();
    ssize_t got = recv(fd, c->in + c->length, IN_BYTES - c->length, MSG_DONTWAIT);
    if (got <= 0) { if (got == 0 || errno != EAGAIN) drop(fd); return; }
    if (c->is_streaming) return;
    c->length += (size_t)got;
    c->in[c->length] = 0;
    const char *end = strstr(c->in, "\r\n\r\n");
    if (!end) return;
    if (!strncmp(c->in, "GET ", 4)) { answer_get(fd, c); return; }
    const char *field = strcasestr(c->in, "content-length:");
    size_t needed = field && field < end ? strtoul(field + 15, NULL, 10) : 0;
    if (c->in + c->length >= end + 4 + needed) begin(fd, c, end + 4);
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

/* Milliseconds until the next token is due, rounded up: never spinning, at most one late. */
static int wait_ms(double at) {
    double next = INFINITY;
    for (int fd = 0; fd <= highest; fd++)
        if (connections[fd].is_streaming && connections[fd].due < next) next = connections[fd].due;
    if (isinf(next)) return -1;
    return next <= at ? 0 : (int)ceil((next - at) * 1000);
}

static int listen_on(int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), one = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(listener, (void *)&address, size) || listen(listener, 4096)) return -1;
    getsockname(listener, (void *)&address, &size);
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    return listener;
}

static void tell_cpu(void) {
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    printf("cpu %ld\n", (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000L +
                            used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

static void serve(int listener) {
    struct epoll_event events[EVENTS], event = {.events = EPOLLIN, .data.fd = listener};
    int loop = epoll_create1(0);
    epoll_ctl(loop, EPOLL_CTL_ADD, listener, &event);
    event.data.fd = STDIN_FILENO;
    epoll_ctl(loop, EPOLL_CTL_ADD, STDIN_FILENO, &event);
    for (;;) {
        int ready = epoll_wait(loop, events, EVENTS, wait_ms(now()));
        for (int i = 0; i < ready; i++) {
            int fd = events[i].data.fd;
            if (fd == STDIN_FILENO) return;
            if (fd == listener) welcome(listener, loop);
            else take(fd);
        }
        double at = now();
        for (int fd = 0; fd <= highest; fd++)
            if (connections[fd].is_streaming) play(fd, &connections[fd], at);
    }
}

int main(int count, char **words) {
    if (count != 5) { fprintf(stderr, "usage: simulator PORT FIRST_MS GAP_MS TOKENS\n"); return 2; }
    first_s = atof(words[2]) / 1000, gap_s = atof(words[3]) / 1000, tokens = atoi(words[4]);
    frame_all();
    int listener = listen_on(atoi(words[1]));
    if (listener < 0) { perror("listen"); return 1; }
    serve(listener);
    tell_cpu();
    return 0;
}
