/// Metrics of a gateway.
package enum GatewayMetric: String, MetricName {
    // What it is for.
    case info = "beacon_gateway_info"
    case live = "beacon_gateway_live"
    case boot = "beacon_gateway_boot"
    case clock = "beacon_gateway_clock_synchronized"

    // Receiving.
    case reports = "beacon_gateway_reports_total"
    case reportsByKind = "beacon_gateway_reports_by_kind_total"
    case drops = "beacon_gateway_drops_total"
    case lastReportAge = "beacon_gateway_last_report_age_seconds"
    case adapterState = "beacon_gateway_adapter_state"
    case adapterFaults = "beacon_gateway_adapter_faults_total"
    case adapterSteps = "beacon_gateway_adapter_recovery_steps_total"
    case openInteractions = "beacon_gateway_open_interactions"
    case records = "beacon_gateway_records_total"
    case remoteReceiverState = "beacon_gateway_remote_receiver_state"
    case remoteReceiverMessages = "beacon_gateway_remote_receiver_messages_total"
    case remoteReceiverRefused = "beacon_gateway_remote_receiver_refused_total"

    // Storing.
    case outboxRecords = "beacon_gateway_outbox_records"
    case outboxBytes = "beacon_gateway_outbox_bytes"
    case outboxCapacity = "beacon_gateway_outbox_capacity_bytes"
    case outboxOldestAge = "beacon_gateway_outbox_oldest_age_seconds"
    case outboxTimeLeft = "beacon_gateway_outbox_time_left_seconds"
    case outboxWaitingForConsumer = "beacon_gateway_outbox_waiting_for_consumer_records"
    case outboxTrouble = "beacon_gateway_outbox_trouble"
    case outboxLost = "beacon_gateway_outbox_lost_records_total"
    case outboxWrite = "beacon_gateway_outbox_write_seconds"

    // Delivering.
    case brokerConnected = "beacon_gateway_broker_connected"
    case brokerAttempts = "beacon_gateway_broker_connection_attempts_total"
    case brokerTakeovers = "beacon_gateway_broker_session_takeovers_total"
    case acknowledged = "beacon_gateway_acknowledged_records_total"

    // Modules and commands.
    case modules = "beacon_gateway_modules"
    case moduleState = "beacon_gateway_module_state"
    case moduleProvisioning = "beacon_gateway_module_provisioning_seconds"
    case commands = "beacon_gateway_commands_total"

    package var definition: MetricDefinition {
        switch self {
        case .info:
            .gauge("Place of the gateway; always 1", "site", "building", "floor", "gateway")
        case .live:
            .gauge(
                "Whether a part of the gateway works: 1 if it does, 0 if it fails or was not measured yet",
                "part")
        case .boot: .gauge("Number of this run of the gateway, as in its records")
        case .clock: .gauge("Whether the system clock is synchronized: 1 or 0")
        case .reports: .counter("Advertising reports received by the adapters")
        case .reportsByKind: .counter("Advertising reports by kind of advertisement", "kind")
        case .drops: .counter("Reports, packets and records that were dropped, by reason", "reason")
        case .lastReportAge: .gauge("Time since the last advertising report, in seconds")
        case .adapterState:
            .gauge("State of an adapter: 1 for the present state, 0 for the others", "adapter", "state")
        case .adapterFaults: .counter("Faults of an adapter", "adapter", "fault")
        case .adapterSteps: .counter("Steps taken to repair an adapter", "adapter", "step")
        case .openInteractions: .gauge("Subjects that are present for the gateway's adapters")
        case .records: .counter("Records made, by the kind of record", "kind")
        case .remoteReceiverState:
            .gauge(
                "State of a remote receiver: 1 for the present state, 0 for the others", "receiver", "kind", "state")
        case .remoteReceiverMessages: .counter("Messages from a remote receiver", "receiver")
        case .remoteReceiverRefused:
            .counter("Messages from a remote receiver that were not understood or too many", "receiver", "reason")
        case .outboxRecords: .gauge("Records in the outbox")
        case .outboxBytes: .gauge("Size of the records in the outbox, in bytes")
        case .outboxCapacity: .gauge("Size at which the outbox drops records, in bytes")
        case .outboxOldestAge: .gauge("Age of the oldest record in the outbox, in seconds; absent if it is empty")
        case .outboxTimeLeft:
            .gauge("Time until the outbox is full at the present rate, in seconds; absent if nothing comes in")
        case .outboxWaitingForConsumer:
            .gauge("Records that the broker has acknowledged and the consumer has not stored yet")
        case .outboxTrouble: .gauge("Whether records cannot be written to the disk: 1 or 0")
        case .outboxLost: .counter("Records that the outbox has given up, by reason", "reason")
        case .outboxWrite:
            .histogram("Time to write the records of one batch to the outbox, in seconds", MetricDefinition.shortTimes)
        case .brokerConnected: .gauge("Whether the gateway is connected to a broker: 1 or 0")
        case .brokerAttempts: .counter("Attempts to connect to a broker")
        case .brokerTakeovers: .counter("Takeovers of the gateway's session by another client")
        case .acknowledged: .counter("Records that a broker has acknowledged")
        case .modules: .gauge("Modules of the inventory, by state", "state")
        case .moduleState:
            .gauge("State of a module: 1 for the present state, 0 for the others", "module", "state")
        case .moduleProvisioning:
            .histogram("Time to provision a module, in seconds", MetricDefinition.longTimes, "outcome")
        case .commands: .counter("Commands received by MQTT, by outcome", "outcome")
        }
    }
}
