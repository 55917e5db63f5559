/// Metrics of a matcher.
package enum MatcherMetric: String, MetricName {
    // What it is for.
    case live = "beacon_matcher_live"
    case active = "beacon_matcher_active"
    case clock = "beacon_matcher_clock_synchronized"

    // Receiving.
    case brokerConnected = "beacon_matcher_broker_connected"
    case brokerConnections = "beacon_matcher_broker_connections_total"
    case subscriptions = "beacon_matcher_subscriptions"
    case messages = "beacon_matcher_messages_total"
    case gateways = "beacon_matcher_gateways"

    // Storing.
    case stored = "beacon_matcher_stored_records_total"
    case refused = "beacon_matcher_refused_records_total"
    case missing = "beacon_matcher_missing_records_total"
    case storeFailures = "beacon_matcher_store_failures_total"
    case storeWrite = "beacon_matcher_store_write_seconds"
    case storeSize = "beacon_matcher_store_size_bytes"
    case lastStoredAge = "beacon_matcher_last_stored_record_age_seconds"
    case work = "beacon_matcher_work_seconds"
    case workFailures = "beacon_matcher_work_failures_total"
    case workSuccess = "beacon_matcher_work_success_timestamp_seconds"
    case deleted = "beacon_matcher_deleted_rows_total"

    // Answering.
    case requests = "beacon_matcher_http_requests_total"
    case answers = "beacon_matcher_http_request_seconds"
    case signInFailures = "beacon_matcher_sign_in_failures_total"

    package var definition: MetricDefinition {
        switch self {
        case .live:
            .gauge(
                "Whether a part of the matcher works: 1 if it does, 0 if it fails or was not measured yet", "part")
        case .active: .gauge("Whether this process is the active matcher, not a standby: 1 or 0")
        case .clock: .gauge("Whether the system clock is synchronized: 1 or 0")
        case .brokerConnected: .gauge("Whether the matcher is connected to the broker and subscribed: 1 or 0")
        case .brokerConnections: .counter("Connections to the broker on which the subscriptions were granted")
        case .subscriptions: .gauge("Topic filters that the matcher subscribes to")
        case .messages: .counter("Messages received from the broker, by what became of them", "outcome")
        case .gateways: .gauge("Gateways, by whether they have said lately that they receive", "state")
        case .stored: .counter("Records that were stored, or were stored already")
        case .refused: .counter("Records that were not stored, by reason", "reason")
        case .missing: .counter("Records that are lost: their gateway no longer holds them")
        case .storeFailures: .counter("Batches of records that could not be stored and will be delivered again")
        case .storeWrite:
            .histogram("Time to store one batch of records, in seconds", MetricDefinition.shortTimes)
        case .storeSize: .gauge("Size of the store on the disk, in bytes; absent until it is known")
        case .lastStoredAge: .gauge("Time since records were last stored, in seconds; absent before the first")
        case .work: .histogram("Time of one run of periodic work, in seconds", MetricDefinition.longTimes, "work")
        case .workFailures: .counter("Runs of periodic work that failed", "work")
        case .workSuccess:
            .gauge(
                "When periodic work last succeeded, in seconds since 1970; absent before the first time", "work")
        case .deleted: .counter("Rows deleted because their time was over, by kind", "kind")
        case .requests: .counter("HTTP requests, by route and class of the status", "route", "class")
        case .answers:
            .histogram("Time to answer an HTTP request, in seconds", MetricDefinition.shortTimes, "route")
        case .signInFailures: .counter("Refused sign-ins, links, codes and tokens", "kind")
        }
    }
}
