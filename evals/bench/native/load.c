/* A load generator: keeps a number of chat streams open and times each request.
 *
 * Usage: load ADDRESS PORT PATH STREAMS REQUESTS SPREAD_MS LIMIT_S LEAVE
 *
 * Reads three lines: what to send as Authorization (may be empty), the JSON body of the warm-up and
 * that of the requests. First each of STREAMS kept connections sends the warm-up once; then "warm"
 * is printed, and a line is waited for. Now REQUESTS requests are sent, STREAMS at a time, the first
 * of each connection spread over SPREAD_MS, none after LIMIT_S, nor by who was refused a connection.
 * Of each LEAVE (0: of none) one is left at its first token. Then "done" and the CPU microseconds since the warm-up are printed, and a
 * line for each request: its connection; microseconds since the start when it was sent, when its
 * first token came (-1: never), and when it ended; tokens, each known by "wyraz"; HTTP status; 1 if
 * it ended in [DONE] and HTTP's own end; 1 if it was left. One thread, epoll.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MAX_STREAMS 4096
#define HEAD_BYTES 4096
#define READ_BYTES 65536
#define MARK "wyraz"
#define DONE "DONE]"
#define CARRIED (sizeof MARK - 2)
#define SILENCE_MS 30000
#define EVENTS 512

_Static_assert(sizeof MARK == sizeof DONE, "one carry serves both");

enum state { HEAD, SIZE, DATA, DATA_END, TRAILER, LENGTH };
enum progress { GOES_ON, ENDED, BROKEN };

struct stream {
    int fd, is_running, is_asked, is_kept, leaves, status, tokens, is_done;
    double sent, first;
    enum state state;
    size_t left, kept, carried;
    int is_extension, is_line;
    char head[HEAD_BYTES + 1], carry[CARRIED];
};

struct result {
    int slot, tokens, status, is_done, is_left;
    double sent, first, ended;
};

static struct stream streams[MAX_STREAMS];
static struct result *results;
static struct sockaddr_in address;
static char *request;
static size_t request_length;
static int width, running, loop, asked, most, finished, leave;
static double start, limit_s;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static long spent_us(void) {
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000L + used.ru_utime.tv_usec +
           used.ru_stime.tv_usec;
}

static int dial(int slot) {
    int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1;
    if (fd < 0) return -1;
    if (connect(fd, (void *)&address, sizeof address)) { close(fd); return -1; }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = slot};
    epoll_ctl(loop, EPOLL_CTL_ADD, fd, &event);
    return fd;
}

static void hang_up(struct stream *s) {
    if (s->fd >= 0) close(s->fd);
    s->fd = -1;
}

static void finish(struct stream *s, int is_whole, int is_left) {
    double at = now();
    if (!is_whole) hang_up(s);
    results[finished++] = (struct result){
        .slot = (int)(s - streams), .tokens = s->tokens, .status = s->status,
        .is_done = is_whole && s->is_done, .is_left = is_left,
        .sent = s->sent, .first = s->first, .ended = at,
    };
    s->is_running = 0;
    running--;
}

/* Sends the request, on a new connection where there is none; one that is refused has failed. */
static void send_request(struct stream *s) {
    s->is_kept = s->fd >= 0;
    if (!s->is_kept) s->fd = dial((int)(s - streams));
    if (s->fd < 0 || send(s->fd, request, request_length, MSG_NOSIGNAL) != (ssize_t)request_length)
        finish(s, 0, 0);
}

static void ask(struct stream *s) {
    s->is_running = s->is_asked = 1;
    s->status = s->tokens = s->is_done = s->is_extension = s->is_line = 0;
    s->state = HEAD, s->left = s->kept = s->carried = 0;
    s->sent = now(), s->first = 0;
    asked++, running++;
    s->leaves = leave && asked % leave == 0;
    send_request(s);
}

static int may_ask(void) { return asked < most && now() - start < limit_s; }

static int count_marks(const char *text, size_t length) {
    int found = 0;
    const char *end = text + length;
    for (const char *p = text; (p = memmem(p, (size_t)(end - p), MARK, sizeof MARK - 1)); found++)
        p += sizeof MARK - 1;
    return found;
}

/* Looks through text of the body, also for what began at the end of the text before. */
static void look(struct stream *s, const char *text, size_t length) {
    static char whole[CARRIED + READ_BYTES];
    memcpy(whole, s->carry, s->carried);
    memcpy(whole + s->carried, text, length);
    length += s->carried;
    s->tokens += count_marks(whole, length);
    if (s->tokens && !s->first) s->first = now();
    if (memmem(whole, length, DONE, sizeof DONE - 1)) s->is_done = 1;
    s->carried = length < CARRIED ? length : CARRIED;
    memcpy(s->carry, whole + length - s->carried, s->carried);
}

/* Reads the head up to its end; gives what follows, NULL where more is needed or it is none. */
static const char *read_head(struct stream *s, const char *text, const char *end) {
    size_t length = (size_t)(end - text), free_bytes = HEAD_BYTES - s->kept;
    size_t taken = length < free_bytes ? length : free_bytes, before = s->kept;
    memcpy(s->head + s->kept, text, taken);
    s->kept += taken;
    s->head[s->kept] = 0;
    char *stop = strstr(s->head, "\r\n\r\n");
    if (!stop) return NULL;
    stop[2] = 0;
    s->status = strncmp(s->head, "HTTP/1.", 7) ? 0 : atoi(s->head + 9);
    const char *field = strcasestr(s->head, "\ncontent-length:");
    s->state = field ? LENGTH : SIZE;
    s->left = field ? strtoul(field + 16, NULL, 10) : 0;
    return text + (stop + 4 - s->head) - before;
}

static const char *read_size(struct stream *s, const char *p) {
    char c = *p++;
    if (c == '\n') {
        s->state = s->left ? DATA : TRAILER;
        s->is_extension = s->is_line = 0;
    } else if (!isxdigit((unsigned char)c)) s->is_extension = 1;
    else if (!s->is_extension)
        s->left = s->left * 16 + (size_t)(isdigit((unsigned char)c) ? c - '0' : tolower(c) - 'a' + 10);
    return p;
}

static const char *read_text(struct stream *s, const char *p, const char *end) {
    size_t length = (size_t)(end - p) < s->left ? (size_t)(end - p) : s->left;
    look(s, p, length);
    s->left -= length;
    return p + length;
}

static enum progress read_body(struct stream *s, const char *p, const char *end) {
    if (s->state == LENGTH && !s->left) return ENDED;
    while (p < end) {
        switch (s->state) {
        case SIZE: p = read_size(s, p); break;
        case DATA:
            p = read_text(s, p, end);
            if (!s->left) s->state = DATA_END;
            break;
        case DATA_END: if (*p++ == '\n') s->state = SIZE; break;
        case TRAILER:
            if (*p == '\n') { if (!s->is_line) return ENDED; s->is_line = 0; }
            else if (*p != '\r') s->is_line = 1;
            p++;
            break;
        case LENGTH:
            p = read_text(s, p, end);
            if (!s->left) return ENDED;
            break;
        case HEAD: return BROKEN;
        }
    }
    return GOES_ON;
}

static enum progress read_some(struct stream *s) {
    static char buffer[READ_BYTES];
    ssize_t got = recv(s->fd, buffer, sizeof buffer, MSG_DONTWAIT);
    if (got < 0 && errno == EAGAIN) return GOES_ON;
    if (got <= 0) return BROKEN;
    const char *p = buffer, *end = buffer + got;
    if (s->state == HEAD && !(p = read_head(s, p, end))) return s->kept < HEAD_BYTES ? GOES_ON : BROKEN;
    return read_body(s, p, end);
}

static void step(struct stream *s) {
    if (!s->is_running) { hang_up(s); return; } /* the server ended an idle connection */
    enum progress progress = read_some(s);
    if (progress == BROKEN && s->is_kept && s->state == HEAD && !s->kept) {
        hang_up(s); /* ended by the server while it was idle */
        send_request(s);
        return;
    }
    int is_left = progress != BROKEN && s->leaves && s->first;
    if (progress == GOES_ON && !is_left) return;
    finish(s, progress == ENDED && !is_left, is_left);
    if (may_ask()) ask(s);
}

static void give_up(void) {
    fprintf(stderr, "no byte for %d s\n", SILENCE_MS / 1000);
    for (int i = 0; i < width; i++)
        if (streams[i].is_running) finish(&streams[i], 0, 0);
    asked = most;
}

/* Starts the connections that are due; milliseconds until the next, -1 where there is none. */
static int start_due(double spread_s) {
    for (int i = 0; i < width && asked < most; i++) {
        double due = start + spread_s * i / width, at = now();
        if (streams[i].is_asked) continue;
        if (due > at) return (int)((due - at) * 1000) + 1;
        if (may_ask()) ask(&streams[i]);
    }
    return -1;
}

static void run(int requests, double spread_s) {
    struct epoll_event events[EVENTS];
    most = requests, asked = finished = 0, start = now();
    for (int i = 0; i < width; i++) streams[i].is_asked = 0;
    for (;;) {
        int due_ms = start_due(spread_s);
        if (running == 0 && (due_ms < 0 || !may_ask())) return;
        int ready = epoll_wait(loop, events, EVENTS, due_ms < 0 ? SILENCE_MS : due_ms);
        if (ready == 0 && due_ms < 0) give_up();
        for (int i = 0; i < ready; i++) step(&streams[events[i].data.fd]);
    }
}

static void report(void) {
    for (int i = 0; i < finished; i++) {
        struct result *r = &results[i];
        printf("%d %.0f %.0f %.0f %d %d %d %d\n", r->slot, (r->sent - start) * 1e6,
               r->first > 0 ? (r->first - start) * 1e6 : -1.0, (r->ended - start) * 1e6, r->tokens,
               r->status, r->is_done, r->is_left);
    }
}

static char *read_line(void) {
    char *line = NULL;
    size_t room = 0;
    ssize_t length = getline(&line, &room, stdin);
    if (length < 0) { fprintf(stderr, "three lines are needed\n"); exit(2); }
    line[strcspn(line, "\n")] = 0;
    return line;
}

static void prepare(char **words, const char *key, const char *body) {
    char *text = NULL;
    int length = asprintf(&text,
                          "POST %s HTTP/1.1\r\nHost: %s:%s\r\n%s%s%sContent-Type: application/json\r\n"
                          "Content-Length: %zu\r\n\r\n%s",
                          words[3], words[1], words[2], *key ? "Authorization: " : "", key,
                          *key ? "\r\n" : "", strlen(body), body);
    if (length < 0) abort();
    request = text, request_length = (size_t)length;
}

int main(int count, char **words) {
    if (count != 9) {
        fprintf(stderr, "usage: load ADDRESS PORT PATH STREAMS REQUESTS SPREAD_MS LIMIT_S LEAVE\n");
        return 2;
    }
    width = atoi(words[4]);
    int requests = atoi(words[5]);
    if (width < 1 || width > MAX_STREAMS || requests < 1) { fprintf(stderr, "bad numbers\n"); return 2; }
    address.sin_family = AF_INET, address.sin_port = htons((uint16_t)atoi(words[2]));
    if (inet_pton(AF_INET, words[1], &address.sin_addr) != 1) { perror(words[1]); return 2; }
    results = calloc((size_t)(requests > width ? requests : width), sizeof *results);
    if (!results) abort();
    loop = epoll_create1(0);
    for (int i = 0; i < width; i++) streams[i].fd = -1;
    char *key = read_line(), *warm = read_line(), *body = read_line();
    limit_s = 1e9;
    prepare(words, key, warm);
    run(width, 0);
    printf("warm\n"), fflush(stdout);
    prepare(words, key, body);
    free(read_line());
    limit_s = atof(words[7]), leave = atoi(words[8]);
    long before = spent_us();
    run(requests, atof(words[6]) / 1000);
    printf("done %ld\n", spent_us() - before), fflush(stdout);
    report();
    return 0;
}
