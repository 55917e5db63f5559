/* How records get from two gateways to one consumer: outboxes, a broker, `stored`, and what may go wrong.
 *
 * Both gateways have one name, as two boxes with copies of one card have, so the broker keeps one session for them and the
 * consumer one progress. Every run ends, because faults are few, records are few, and nothing is done without need; what
 * must hold in the end is asserted when nothing more can happen.
 *
 *   nothing is lost      a record leaves an outbox when the consumer has it, or for its age
 *   nothing is invented  what the consumer has stored under an id is what was created under it
 *   all is delivered     in the end the consumer has every record that wasn't given up for its age
 *
 * Switches bring back what the protocol was before; with each of them alone, spin must find a violation:
 *
 *   OLD_EXPIRY  after a restart, age is told by a wall clock that may have jumped
 *   OLD_PUBACK  a connection that lives is never given up, whatever is unanswered
 *   OLD_BOOT    a boot is the clock's second, the same for two boxes that start together
 *   OLD_STORED  a confirmation of a boot that was never this gateway's is heeded
 *
 * check.sh runs all of them, and the protocol without any.
 */

#define BOXES 2
#define EACH 2                          /* places for records of each box */
#define makes(b) ((b) == 0 -> 2 : 1)    /* records of a box */
#define ALL (BOXES * EACH)
#define NOBODY BOXES
#define WINDOW 1                        /* mqtt.in-flight */
#define AGE 0                           /* outbox.max-age, in ticks */
#ifndef FAULTS
#define FAULTS 2                        /* at most in one run, of those that are below */
#endif
#define JUMP 3                          /* of a wall clock, at a restart */

mtype = { unborn, waiting, offered, acknowledged, confirmed, expired };

typedef Record {
    mtype state = unborn;
    byte boot;                          /* with the sequence, its id */
    byte sequence;
    byte age;                           /* in ticks; the outbox counts them while it runs */
#ifdef OLD_EXPIRY
    byte entered;                       /* by the wall clock */
    bool wasReopened;                   /* by a later boot */
#endif
    bool isAnswered;                    /* its PUBACK is on its way */
    bool isUnanswered;                  /* its PUBACK is lost, and the connection lives */
    bool isQueued;                      /* at the broker, for the consumer */
    bool isStored
}

typedef Box {
    byte made;                          /* records */
    byte boot;
    byte sequence;
#ifdef OLD_EXPIRY
    byte wall;                          /* its clock */
#endif
    byte newestBoot;                    /* of the records that the outbox has seen */
    byte newestSequence
}

Record record[ALL];
Box box[BOXES];
byte session = NOBODY;                  /* whom the broker serves */

/* What the consumer says on `stored`: nothing is missing up to here. */
byte throughBoot;
byte throughSequence;

#define owner(r) ((r) / EACH)
#define isHeld(r) (record[r].state == waiting || record[r].state == offered || record[r].state == acknowledged)
#define isUpTo(b1, s1, b2, s2) ((b1) < (b2) || ((b1) == (b2) && (s1) <= (s2)))

/* The connection of the box that has one ends: what was offered waits again. */
inline drop(i) {
    i = 0;
    do
    :: i < ALL ->
        if
        :: owner(i) == session ->
            if
            :: record[i].state == offered -> record[i].state = waiting
            :: else
            fi;
            record[i].isAnswered = false;
            record[i].isUnanswered = false
        :: else
        fi;
        i++
    :: else -> break
    od;
    session = NOBODY;
    i = 0
}

/* The box that makes two records begins a new boot. */
inline restart(b, jump, i) {
    if
    :: session == b -> drop(i)
    :: else
    fi;
#ifdef OLD_EXPIRY
    box[b].wall = box[b].wall + jump;
#endif
    box[b].boot = box[b].boot + 2;
    box[b].sequence = 0;
    i = 0;
    do
    :: i < ALL ->
        if
        :: owner(i) == b && isHeld(i) ->
#ifdef OLD_EXPIRY
            record[i].wasReopened = true;
#endif
            record[i].state = waiting
        :: else
        fi;
        i++
    :: else -> break
    od;
    i = 0
}

/* The consumer's progress goes on over what it has stored without a gap. */
inline advance(i) {
    i = 0;
    do
    :: i < ALL ->
        if
        :: record[i].isStored && record[i].boot == throughBoot && record[i].sequence == throughSequence + 1 ->
            throughSequence++;
            i = 0
        :: else -> i++
        fi
    :: else -> break
    od;
    i = 0
}

#define isForgotten(r) (record[r].state == acknowledged && !record[r].isQueued && !record[r].isStored)
#define hasWaiting(b) (record[(b) * EACH].state == waiting || record[(b) * EACH + 1].state == waiting)
#define wants(b) (hasWaiting(b) || isForgotten((b) * EACH) || isForgotten((b) * EACH + 1))
#define underWay(b) ((record[(b) * EACH].state == offered) + (record[(b) * EACH + 1].state == offered))
#define isIdle(b) (!wants(b) && underWay(b) == 0)
#define oldest(b) record[(isHeld((b) * EACH) -> (b) * EACH : (b) * EACH + 1)]

/* A position that the gateway hasn't reached is another one's, and so is one of a boot of which it has no record. */
#ifdef OLD_STORED
#define isOwn(theBoot, b) true
#else
#define isOwn(theBoot, b) \
    ((isHeld((b) * EACH) && record[(b) * EACH].boot == theBoot) || \
     (isHeld((b) * EACH + 1) && record[(b) * EACH + 1].boot == theBoot) || box[b].newestBoot == theBoot)
#endif

proctype Gateway(byte me) {
    byte i, takeovers;
end:
    do
    :: box[me].made < makes(me) ->           /* an interaction: on disk before it is offered */
        d_step {
            i = me * EACH + box[me].made;
            box[me].made++;
            box[me].sequence++;
            record[i].state = waiting;
            record[i].boot = box[me].boot;
            record[i].sequence = box[me].sequence;
#ifdef OLD_EXPIRY
            record[i].entered = box[me].wall;
#endif
            box[me].newestBoot = box[me].boot;
            box[me].newestSequence = box[me].sequence;
            i = 0
        }
    :: atomic { session == NOBODY && wants(me) -> session = me }
    /* A broker that accepts a second client of one name ends the first. The fight goes on as long as both want something;
       that is cut short here, and whoever is served long enough gets done. */
    :: atomic {
        session == 1 - me && wants(me) && (takeovers < 1 || isIdle(1 - me)) ->
        if
        :: !isIdle(1 - me) -> takeovers++
        :: else
        fi;
        drop(i);
        session = me
       }
    /* The oldest that waits is offered. Cut off before the broker has it, it waits as if it hadn't been. */
    :: atomic {
        session == me && underWay(me) < WINDOW && hasWaiting(me) ->
        i = me * EACH;
        if
        :: record[i].state == waiting
        :: else -> i++
        fi;
        record[i].state = offered;
        record[i].isQueued = true;
        record[i].isAnswered = true;
        i = 0
       }
    :: atomic {                         /* PUBACK */
        session == me && (record[me * EACH].isAnswered || record[me * EACH + 1].isAnswered) ->
        i = me * EACH;
        if
        :: record[i].isAnswered
        :: else -> i++
        fi;
        record[i].isAnswered = false;
        record[i].state = acknowledged;
        i = 0
       }
#ifndef OLD_PUBACK
    /* The time limit. It is longer than an answer takes that comes. */
    :: atomic {
        session == me && (record[me * EACH].isUnanswered || record[me * EACH + 1].isUnanswered) -> drop(i)
       }
#endif
    :: atomic {                         /* the consumer says `stored`, and has moved on */
        session == me && throughBoot > 0 &&
        ((isHeld(me * EACH) &&
          isUpTo(record[me * EACH].boot, record[me * EACH].sequence, throughBoot, throughSequence)) ||
         (isHeld(me * EACH + 1) &&
          isUpTo(record[me * EACH + 1].boot, record[me * EACH + 1].sequence, throughBoot, throughSequence))) &&
        isUpTo(throughBoot, throughSequence, box[me].newestBoot, box[me].newestSequence) && isOwn(throughBoot, me) ->
        i = me * EACH;
        do
        :: i < (me + 1) * EACH ->
            if
            :: isHeld(i) && isUpTo(record[i].boot, record[i].sequence, throughBoot, throughSequence) ->
                assert(record[i].isStored);
                record[i].state = confirmed;
                record[i].isAnswered = false;
                record[i].isUnanswered = false
            :: else
            fi;
            i++
        :: else -> break
        od;
        i = 0
       }
    /* It says `stored` and this record isn't, although it was acknowledged long ago: the broker has forgotten it. */
    :: atomic { session == me && isForgotten(me * EACH) -> record[me * EACH].state = waiting }
    :: atomic { session == me && isForgotten(me * EACH + 1) -> record[me * EACH + 1].state = waiting }
    :: atomic {                         /* health: below the oldest that is held, nothing comes any more */
        session == me && (isHeld(me * EACH) || isHeld(me * EACH + 1)) &&
        !isUpTo(oldest(me).boot, oldest(me).sequence - 1, throughBoot, throughSequence) ->
        throughSequence = oldest(me).sequence - 1;
        throughBoot = oldest(me).boot;
        advance(i)
       }
    od
}

/* Gives up what is too old, and not on its way. */
active proctype Expiry() {
    byte i;
end:
    do
    :: atomic {
#ifdef OLD_EXPIRY
#define isOld(r) \
    (record[r].wasReopened -> box[owner(r)].wall - record[r].entered > AGE : record[r].age > AGE)
#else
#define isOld(r) (record[r].age > AGE)
#endif
#define mayGo(r) ((record[r].state == waiting || record[r].state == acknowledged) && isOld(r))
        mayGo(0) || mayGo(1) || mayGo(2) || mayGo(3) ->
        i = 0;
        do
        :: i < ALL ->
            if
            :: mayGo(i) ->
                assert(record[i].age > AGE);
                record[i].state = expired
            :: else
            fi;
            i++
        :: else -> break
        od;
        i = 0
       }
    od
}

/* Stores a record once by its id, and says up to where none is missing. */
active proctype Consumer() {
    byte i, j;
end:
    do
    :: atomic {
        record[0].isQueued || record[1].isQueued || record[2].isQueued || record[3].isQueued ->
        if                              /* sessions of several subscriptions keep no order between topics */
        :: record[0].isQueued -> i = 0
        :: record[1].isQueued -> i = 1
        :: record[2].isQueued -> i = 2
        :: record[3].isQueued -> i = 3
        fi;
        record[i].isQueued = false;
        j = 0;
        do
        :: j < ALL ->
            /* Another record of the same id would be taken for this one, and this one for a repetition. */
            assert(j == i || !record[j].isStored || record[j].boot != record[i].boot ||
                   record[j].sequence != record[i].sequence);
            j++
        :: else -> break
        od;
        record[i].isStored = true;
        advance(j);
        i = 0; j = 0
       }
    od
}

/* Each may happen, or not. */
active proctype Faults() {
    byte i, ticks, faults;
    bool hasRestarted;
    box[1].boot > 0;                    /* both have started */
    do
    :: atomic { faults < FAULTS && session != NOBODY -> faults++; drop(i) }
    :: atomic {                         /* a PUBACK is lost, and the connection lives */
        faults < FAULTS && (record[0].isAnswered || record[1].isAnswered || record[2].isAnswered ||
                            record[3].isAnswered) ->
        faults++;
        i = 0;
        do
        :: record[i].isAnswered -> break
        :: else -> i++
        od;
        record[i].isAnswered = false;
        record[i].isUnanswered = true;
        i = 0
       }
    :: atomic {                         /* the broker is killed, and forgets what it acknowledged */
        faults < FAULTS && (record[0].isQueued || record[1].isQueued || record[2].isQueued || record[3].isQueued) ->
        faults++;
        i = 0;
        do
        :: i < ALL -> record[i].isQueued = false; i++
        :: else -> break
        od;
        i = 0;
        if
        :: session != NOBODY -> drop(i)
        :: else
        fi
       }
    :: atomic {                         /* time passes */
        faults < FAULTS && ticks <= AGE ->
        faults++;
        ticks++;
        i = 0;
        do
        :: i < ALL ->
            if
            :: isHeld(i) -> record[i].age++
            :: else
            fi;
            i++
        :: else -> break
        od;
#ifdef OLD_EXPIRY
        box[0].wall++;
        box[1].wall++;
#endif
        i = 0
       }
    :: atomic { faults < FAULTS && !hasRestarted -> faults++; hasRestarted = true; restart(0, 0, i) }
#ifdef OLD_EXPIRY
    :: atomic { faults < FAULTS && !hasRestarted -> faults++; hasRestarted = true; restart(0, JUMP, i) }
#endif
    :: break
    od
}

/* When nothing more can happen. */
active proctype End() {
    byte i;
    timeout;
    atomic {
        i = 0;
        do
        :: i < ALL ->
            assert(record[i].isStored || record[i].state == expired || i % EACH >= makes(owner(i)));
            i++
        :: else -> break
        od
    }
}

init {
    atomic {
        box[0].boot = 2;                /* and 4 after its restart */
#ifdef OLD_BOOT
        box[1].boot = 2;
#else
        /* Nobody else's: they are drawn from so many that two never meet. All orders of the three occur. */
        if
        :: box[1].boot = 1
        :: box[1].boot = 3
        :: box[1].boot = 5
        fi;
#endif
        run Gateway(0);
        run Gateway(1)
    }
}
