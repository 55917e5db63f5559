import RecordContract

extension MatcherConfiguration {
    /// Filters of the signals of the gateways whose records are stored.
    var signalFilters: [String] {
        let root = "\(topicPrefix)/v\(Contract.version)/"
        return filters.map { filter in
            let levels = filter.dropFirst(root.count).split(separator: "/").filter { $0 != "#" }.prefix(4)
            let all = levels.map(String.init) + Array(repeating: "+", count: 4 - levels.count)
            return root + all.joined(separator: "/") + "/signals"
        }
    }
}
