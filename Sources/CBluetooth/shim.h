#ifndef CBLUETOOTH_SHIM_H
#define CBLUETOOTH_SHIM_H

#include <errno.h>
#include <string.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

#include <linux/filter.h>

#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
#include <bluetooth/hci_lib.h>

/* ioctl numbers are macros that Swift does not import. */
static const unsigned long CBLUETOOTH_HCIDEVUP = HCIDEVUP;
static const unsigned long CBLUETOOTH_HCIDEVDOWN = HCIDEVDOWN;
static const unsigned long CBLUETOOTH_HCIGETDEVLIST = HCIGETDEVLIST;
static const unsigned long CBLUETOOTH_HCIGETDEVINFO = HCIGETDEVINFO;

static const int CBLUETOOTH_SO_MEMINFO = SO_MEMINFO;

static inline int cbluetooth_is_up(const struct hci_dev_info *info)
{
    return hci_test_bit(HCI_UP, (void *)&info->flags);
}

/* A socket of one of the kernel's HCI channels; -1 and errno when there is none. */
static inline int cbluetooth_open(uint16_t device, uint16_t channel)
{
    int fd = socket(AF_BLUETOOTH, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, BTPROTO_HCI);
    if (fd < 0)
        return -1;
    struct sockaddr_hci address;
    memset(&address, 0, sizeof address);
    address.hci_family = AF_BLUETOOTH;
    address.hci_dev = device;
    address.hci_channel = channel;
    if (bind(fd, (struct sockaddr *)&address, sizeof address) != 0) {
        int error = errno;
        close(fd);
        errno = error;
        return -1;
    }
    return fd;
}

/* Whether somebody has the adapter of a raw socket for himself, through the user channel: then the kernel answers every
 * question about the adapter's connections with EBUSY, and otherwise, as there is no such connection, with ENOENT. */
static inline int cbluetooth_is_exclusive(int fd)
{
    /* The structure ends with room for the answer. */
    _Alignas(struct hci_conn_info_req) unsigned char question[sizeof(struct hci_conn_info_req) +
                                                              sizeof(struct hci_conn_info)] = {0};
    ((struct hci_conn_info_req *)question)->type = ACL_LINK;
    return ioctl(fd, HCIGETCONNINFO, question) != 0 && errno == EBUSY;
}

/* Fills `devices` with the numbers of the kernel's adapters; gives their count, or -1 and errno. */
static inline int cbluetooth_adapters(int fd, uint16_t *devices, int capacity)
{
    struct {
        uint16_t count;
        struct hci_dev_req requests[HCI_MAX_DEV];
    } list;
    memset(&list, 0, sizeof list);
    list.count = HCI_MAX_DEV;
    if (ioctl(fd, HCIGETDEVLIST, &list) != 0)
        return -1;
    int count = list.count < capacity ? list.count : capacity;
    for (int index = 0; index < count; index++)
        devices[index] = list.requests[index].dev_id;
    return count;
}

/* Has the kernel give a socket of the monitor channel no more than: adapters that come, go, and are switched on and
 * off, commands to them, their Hardware Error events, and, if asked for, their LE Meta events. The type of a message is
 * the little-endian number in front of it, which a filter loads as a big-endian one (linux/Documentation/networking/
 * filter.rst); an event's code follows the six bytes of the header. */
static inline int cbluetooth_filter_monitor(int fd, int hears_advertising)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_H | BPF_ABS, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x0000, 9, 0), /* new index */
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x0100, 8, 0), /* deleted index */
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x0200, 7, 0), /* command */
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x0800, 6, 0), /* opened index */
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x0900, 5, 0), /* closed index */
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x0300, 0, 3), /* event */
        BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 6),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, EVT_HARDWARE_ERROR, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, EVT_LE_META_EVENT, hears_advertising ? 1 : 0, 0),
        BPF_STMT(BPF_RET | BPF_K, 0),
        BPF_STMT(BPF_RET | BPF_K, 0xffff),
    };
    struct sock_fprog program = {.len = sizeof code / sizeof code[0], .filter = code};
    return setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
}

/* Receives one message and the time at which the kernel took it from the controller, in microseconds since
 * 1970-01-01T00:00:00Z (-1 when the kernel gave none): the raw channel says it in its own way, the others in the usual
 * one. The CMSG macros are not imported by Swift. */
static inline ssize_t cbluetooth_receive(int fd, void *buffer, size_t capacity, int64_t *received_at)
{
    char control[128];
    struct iovec vector = {.iov_base = buffer, .iov_len = capacity};
    struct msghdr message;
    memset(&message, 0, sizeof message);
    message.msg_iov = &vector;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    *received_at = -1;
    ssize_t length = recvmsg(fd, &message, MSG_DONTWAIT);
    if (length < 0)
        return length;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (((header->cmsg_level == SOL_HCI && header->cmsg_type == HCI_CMSG_TSTAMP) ||
             (header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_TIMESTAMP)) &&
            header->cmsg_len >= CMSG_LEN(sizeof(struct timeval))) {
            struct timeval time;
            memcpy(&time, CMSG_DATA(header), sizeof time);
            *received_at = (int64_t)time.tv_sec * 1000000 + time.tv_usec;
        }
    }
    return length;
}

#endif
