/// Metrics of every program: the usual ones of a process, and those of the exposition itself.
package enum ProcessMetric: String, MetricName {
    case buildInfo = "beacon_build_info"
    case droppedLabelSets = "beacon_metrics_dropped_label_sets_total"
    case cpu = "process_cpu_seconds_total"
    case residentMemory = "process_resident_memory_bytes"
    case openFiles = "process_open_fds"
    case mostFiles = "process_max_fds"
    case threads = "process_threads"
    case start = "process_start_time_seconds"

    package var definition: MetricDefinition {
        switch self {
        case .buildInfo: .gauge("Version and commit of the program; always 1", "version", "commit")
        case .droppedLabelSets:
            .counter("Label sets that were left out because their metric had too many, counted at each attempt")
        case .cpu: .counter("User and system time that the process has used, in seconds")
        case .residentMemory: .gauge("Resident memory of the process, in bytes")
        case .openFiles: .gauge("Open file descriptors of the process")
        case .mostFiles: .gauge("Largest number of file descriptors that the process may open")
        case .threads: .gauge("Threads of the process")
        case .start: .gauge("Start of the process, in seconds since 1970")
        }
    }
}
