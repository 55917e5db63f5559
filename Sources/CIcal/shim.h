#include <libical/ical.h>
#include <string.h>

/* Why a date of a property is no instant. */
enum {
    BEACON_ICAL_INSTANT = 0,
    BEACON_ICAL_NOTHING = 1,
    BEACON_ICAL_DATE = 2,          /* A day without a time of day. */
    BEACON_ICAL_UNKNOWN_ZONE = 3,  /* Its TZID is neither in the file nor in the system. */
    BEACON_ICAL_FLOATING = 4,      /* A time of day without a zone, and there is none to take it for. */
    BEACON_ICAL_YEAR = 5,          /* Not from 1970 to 2200. */
};

/* An instant, and the day on which it is in its zone. */
typedef struct {
    int state;
    long long seconds; /* Since 1970. */
    int day;           /* 20261020. */
} beacon_ical_time;

static inline beacon_ical_time beacon_ical_convert(struct icaltimetype time, const icaltimezone *zone) {
    beacon_ical_time result = {BEACON_ICAL_INSTANT, 0, time.year * 10000 + time.month * 100 + time.day};
    if (icaltime_is_null_time(time)) result.state = BEACON_ICAL_NOTHING;
    else if (time.year < 1970 || time.year > 2200) result.state = BEACON_ICAL_YEAR;
    else if (icaltime_is_date(time)) result.state = BEACON_ICAL_DATE;
    else result.seconds = icaltime_as_timet_with_zone(time, zone);
    return result;
}

static inline const char *beacon_ical_tzid(icalproperty *property) {
    icalparameter *parameter = icalproperty_get_first_parameter(property, ICAL_TZID_PARAMETER);
    return parameter ? icalparameter_get_tzid(parameter) : NULL;
}

/* The zone of a property's time: its own, or `floating` where it has none; NULL where there is neither. */
static inline const icaltimezone *beacon_ical_zone(icalproperty *property, icalcomponent *event, icaltimezone *floating) {
    struct icaltimetype time = icalproperty_get_datetime_with_component(property, event);
    if (time.zone) return time.zone;
    return beacon_ical_tzid(property) ? NULL : floating;
}

static inline beacon_ical_time beacon_ical_instant(icalproperty *property, icalcomponent *event, icaltimezone *floating) {
    struct icaltimetype time = icalproperty_get_datetime_with_component(property, event);
    const icaltimezone *zone = beacon_ical_zone(property, event, floating);
    if (!zone && !icaltime_is_null_time(time) && !icaltime_is_date(time)) {
        beacon_ical_time unknown = {beacon_ical_tzid(property) ? BEACON_ICAL_UNKNOWN_ZONE : BEACON_ICAL_FLOATING, 0, 0};
        return unknown;
    }
    return beacon_ical_convert(time, zone);
}

static inline int beacon_ical_is_period(icalproperty *property) {
    icalvalue *value = icalproperty_get_value(property);
    return value && icalvalue_isa(value) == ICAL_PERIOD_VALUE;
}

/* What of a rule says how much there is to do: Swift has no view of its arrays. */
typedef struct {
    int frequency; /* icalrecurrencetype_frequency. */
    int is_scaled; /* By another calendar than the Gregorian. */
    int interval;
    int count;     /* 0 without one. */
    int times;     /* Of a day, or of whatever the frequency is. */
    int days;      /* Entries of the lists that say on which days. */
} beacon_ical_rule;

static inline int beacon_ical_entries(const short *list, int size) {
    int count = 0;
    while (count < size && list[count] != ICAL_RECURRENCE_ARRAY_MAX) count++;
    return count;
}

static inline beacon_ical_rule beacon_ical_read_rule(icalproperty *property) {
    struct icalrecurrencetype rule = icalproperty_get_rrule(property);
    beacon_ical_rule result = {(int)rule.freq, rule.rscale != NULL, rule.interval, rule.count, 1, 0};
    int hours = beacon_ical_entries(rule.by_hour, ICAL_BY_HOUR_SIZE);
    int minutes = beacon_ical_entries(rule.by_minute, ICAL_BY_MINUTE_SIZE);
    int seconds = beacon_ical_entries(rule.by_second, ICAL_BY_SECOND_SIZE);
    result.times = (hours ? hours : 1) * (minutes ? minutes : 1) * (seconds ? seconds : 1);
    result.days = beacon_ical_entries(rule.by_day, ICAL_BY_DAY_SIZE)
        + beacon_ical_entries(rule.by_month_day, ICAL_BY_MONTHDAY_SIZE)
        + beacon_ical_entries(rule.by_year_day, ICAL_BY_YEARDAY_SIZE)
        + beacon_ical_entries(rule.by_week_no, ICAL_BY_WEEKNO_SIZE)
        + beacon_ical_entries(rule.by_month, ICAL_BY_MONTH_SIZE)
        + beacon_ical_entries(rule.by_set_pos, ICAL_BY_SETPOS_SIZE);
    return result;
}

/* The last instant of a rule; the end of the day when it is a day. BEACON_ICAL_NOTHING without one. */
static inline beacon_ical_time beacon_ical_until(icalproperty *property, const icaltimezone *zone) {
    struct icaltimetype until = icalproperty_get_rrule(property).until;
    if (!icaltime_is_null_time(until) && until.is_date) {
        until.is_date = 0;
        until.hour = 23;
        until.minute = 59;
        until.second = 59;
        until.zone = NULL;
    }
    return beacon_ical_convert(until, until.zone ? until.zone : zone);
}

/* Occurrences without an end: whoever asks for them compares with `beacon_ical_until`, because the library itself would
   look for the one after it until the year 2582. */
static inline icalrecur_iterator *beacon_ical_iterate(icalproperty *rule, icalproperty *start, icalcomponent *event) {
    struct icalrecurrencetype recurrence = icalproperty_get_rrule(rule);
    recurrence.until = icaltime_null_time();
    return icalrecur_iterator_new(recurrence, icalproperty_get_datetime_with_component(start, event));
}

static inline beacon_ical_time beacon_ical_next(icalrecur_iterator *iterator, const icaltimezone *zone) {
    return beacon_ical_convert(icalrecur_iterator_next(iterator), zone);
}

/* Local time of an instant, in seconds since 1970 as if it were UTC. */
static inline long long beacon_ical_local(long long seconds, icaltimezone *zone) {
    struct icaltimetype time = icaltime_from_timet_with_zone((time_t)seconds, 0, icaltimezone_get_utc_timezone());
    int is_daylight = 0;
    return seconds + icaltimezone_get_utc_offset_of_utc_time(zone, &time, &is_daylight);
}
