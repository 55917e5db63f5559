#ifndef CBLUETOOTH_SHIM_H
#define CBLUETOOTH_SHIM_H

#include <errno.h>
#include <string.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>

#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
#include <bluetooth/hci_lib.h>

/* ioctl numbers are macros that Swift does not import. */
static const unsigned long CBLUETOOTH_HCIDEVUP = HCIDEVUP;
static const unsigned long CBLUETOOTH_HCIGETDEVINFO = HCIGETDEVINFO;

static inline int cbluetooth_is_up(const struct hci_dev_info *info)
{
    return hci_test_bit(HCI_UP, (void *)&info->flags);
}

/* Receives one HCI packet and the time at which the kernel took it from the controller, in microseconds since
 * 1970-01-01T00:00:00Z (-1 when the kernel gave none). The CMSG macros are not imported by Swift. */
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
        if (header->cmsg_level == SOL_HCI && header->cmsg_type == HCI_CMSG_TSTAMP &&
            header->cmsg_len >= CMSG_LEN(sizeof(struct timeval))) {
            struct timeval time;
            memcpy(&time, CMSG_DATA(header), sizeof time);
            *received_at = (int64_t)time.tv_sec * 1000000 + time.tv_usec;
        }
    }
    return length;
}

#endif
