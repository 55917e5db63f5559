#!/bin/sh
# Who may do what on a RabbitMQ with rabbitmq_mqtt. Tried with RabbitMQ 3.10.8, which speaks MQTT 3.1.1.
#
#   permissions.sh gateway SITE/BUILDING/FLOOR/GATEWAY | consumer USER [CLIENT-ID] | operator USER | analyst USER | subject KEY
#
# for a user that there is: rabbitmqctl add_user USER. Each may have queues of its own client identifiers alone, since whoever
# may read a queue may read what another subscribed to: a gateway has that of its place, a matcher what `beacon-matcher client-id`
# says (without it all that begin so), a subject the KEY of its topic, and operators and analysts USER and USER_0 to USER_9,
# which `beacon-gateway tail --username USER` takes one of. So the USER of an operator or analyst has no _: ann would have the
# queues of ann_2. A queue is kept while its user is away, and holds 64 MB and 100,000 messages at most (a policy): then the oldest go. Those
# of matchers have no limit, because nothing of theirs may be lost. A level of an MQTT topic is a word
# of a routing key of the exchange amq.topic: beacons/v1/mcgill/... is beacons.v1.mcgill.... What is read is checked when it is
# subscribed to, by the text of the filter, with * for + in it. RabbitMQ closes the connection of whoever does what isn't
# theirs.
#
# COMMANDS=yes before the line of a consumer lets it publish the commands identify and reset, for a matcher with [commands].
#
# That is so by MQTT. By AMQP whoever may write to one queue writes on every topic, so rabbitmq.conf has no AMQP, and the user
# guest, who may do everything, goes: rabbitmqctl delete_user guest.
set -eu
vhost=${VHOST:-/}
if [ $# != 2 ] && { [ $# != 3 ] || [ "$1" != consumer ]; }; then
    sed -n '4s/^# *//p' "$0" >&2
    exit 64
fi
role=$1
user=$2
# \z is the end; $ would be before a line feed at the end as well, which no client can read in a topic.
level='[a-z0-9*-]+'
root="beacons\\.v1\\.$level\\.$level\\.$level\\.$level"
# Not even the empty routing key.
nothing='^(?!)'
client="$user"
case $role in
    gateway)
        if ! echo "$user" | grep -Eqx '[a-z0-9-]+(/[a-z0-9-]+){3}'; then
            echo "error: $user is no place of a gateway: SITE/BUILDING/FLOOR/GATEWAY, each of a-z, 0-9 and hyphens" >&2
            exit 64
        fi
        root="beacons\\.v1\\.$(echo "$user" | sed 's,/,\\.,g')"
        client="bg_$(echo "$user" | sed 's,/,_,g')(_(homie|probe|replay))?"
        # What a gateway publishes, and not what it is told: see Sources/MQTTBridge/TopicAccess.swift.
        beacon="beacon\\.$level\\.$level\\.$level\\.(interaction|presence|social-distance)"
        write="^$root\\.(status|info|health|configuration|readings|signals|$beacon|module\\.$level\\.(state|event)|reply\\.$level)\\z"
        read="^$root\\.(command\\.(\\*|configure|confirm|identify|provision|rescan|reset)|stored)\\z"
        ;;
    consumer)
        client=${3:-}
        # Not in the braces of an expansion, which would end at the first of the pattern.
        [ -n "$client" ] || client='beacon-matcher(-[0-9a-f]{16})?'
        client="$client(-notices|-live|_(probe|share))?"
        place="beacons\\.v1\\.$level\\.$level\\.$level"
        commands=
        if [ "${COMMANDS:-}" = yes ]; then commands="|$root\\.command\\.(identify|reset)"; fi
        write="^($root\\.stored$commands|beacons\\.v1\\.subject\\.[^.]+\\.exposure|$place\\.occupancy(\\.[a-z0-9-]+)?|$place\\.subject\\.[0-9a-f]{32}\\.location)\\z"
        read='^beacons\.v1\.'
        ;;
    operator)
        client="$user(_[0-9])?"
        write="^$root\\.command\\.[a-z0-9-]+\\z"
        read="^$root\\.(reply\\.$level|status|info|health|configuration|module\\.$level\\.$level)\\z"
        ;;
    analyst)
        client="$user(_[0-9])?"
        write=$nothing
        # Not what subjects are told: each filter names its site, beacons/v1/mcgill/#.
        # One # at the end and no more: RabbitMQ tries every way in which several match, and stands still meanwhile.
        read='^beacons\.v1\.(?!subject(\.|\z))[a-z0-9-]+(\.[a-z0-9*-]+){0,9}(\.#)?\z'
        ;;
    subject)
        if ! echo "$user" | grep -Eqx '[0-9a-f]{32}'; then
            echo "error: $user is no key of a subject's topic: 32 hexadecimal digits, as beacon-matcher secret says it" >&2
            exit 64
        fi
        write=$nothing
        read="^beacons\\.v1\\.subject\\.$user\\.exposure\\z"
        ;;
    *)
        echo "error: $role is no role; there are gateway, consumer, operator, analyst and subject" >&2
        exit 64
        ;;
esac
# USER_ begins what its user may call itself: where a name had one, another's might be its beginning.
case $role:$user in
    operator:*_* | analyst:*_*)
        echo "error: $user has a _, which may only be in what a user calls itself: take - instead" >&2
        exit 64
        ;;
esac
# What is part of a pattern.
if [ "$role" = consumer ]; then name=${3:-beacon-matcher}; else name=$user; fi
if ! echo "$name" | grep -Eqx '[a-zA-Z0-9_/-]+'; then
    echo "error: $name isn't made of a-z, A-Z, 0-9, - and _, as client identifiers here are" >&2
    exit 64
fi
# A client has queues of its own, and nothing else; who publishes nothing may not write to the exchange, which is also where a
# queue's dead letters would go.
queues="^mqtt-subscription-${client}qos[01]\\z"
exchange="^(mqtt-subscription-${client}qos[01]|amq\.topic)\\z"
if [ "$write" = "$nothing" ]; then writable=$queues; else writable=$exchange; fi
rabbitmqctl set_permissions -p "$vhost" "$user" "$queues" "$writable" "$exchange"
rabbitmqctl set_topic_permissions -p "$vhost" "$user" amq.topic "$write" "$read"
# Sessions of whoever doesn't come back fill the disk, and then nobody's records are taken.
if [ "$role" != consumer ]; then
    rabbitmqctl set_policy -p "$vhost" --apply-to queues "beacons $user" "$queues" \
        '{"max-length-bytes": 64000000, "max-length": 100000, "overflow": "drop-head"}'
fi
