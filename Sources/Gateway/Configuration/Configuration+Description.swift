import RecordContract

/// Says whose it is and nothing of what is in it: logs of a debug level describe everything that runs.
extension Configuration: CustomStringConvertible, CustomDebugStringConvertible {
    var description: String { "configuration of \(topics.root)" }
    var debugDescription: String { description }
}
