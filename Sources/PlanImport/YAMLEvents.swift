import CYAML
import FloorPlans

/// Reader of libyaml's events, which makes a tree of them.
struct YAMLEvents {
    /// A list or table that has begun and not ended.
    private struct Open {
        var line: Int
        var isTable: Bool
        var items: [PlanTree] = []
        var entries: [PlanTree.Entry] = []
        var keys: Set<String> = []
        /// Key that has no value yet.
        var key: (text: String, line: Int)?
    }

    private enum Event {
        case scalar(String, isQuoted: Bool)
        case listStart, tableStart, listEnd, tableEnd
        case alias
        case other
        case end
    }

    private var open: [Open] = []
    private var root: PlanTree?
    private var nodes = 0

    mutating func parse(_ bytes: [UInt8]) throws(YAMLMistake) -> PlanTree {
        var parser = yaml_parser_t()
        guard yaml_parser_initialize(&parser) == 1 else {
            throw YAMLMistake(line: nil, "memory is exhausted", "try again")
        }
        defer { yaml_parser_delete(&parser) }
        // The parser keeps the address until it is deleted.
        let input = UnsafeMutablePointer<UInt8>.allocate(capacity: max(bytes.count, 1))
        defer { input.deallocate() }
        input.initialize(repeating: 0, count: max(bytes.count, 1))
        for (index, byte) in bytes.enumerated() { input[index] = byte }
        yaml_parser_set_input_string(&parser, input, bytes.count)
        while true {
            let (event, line) = try next(&parser)
            if case .end = event { break }
            try take(event, line)
            if root != nil { break }
        }
        guard let root else {
            throw YAMLMistake(line: nil, "is empty", "must be the configuration of ESPresense-companion")
        }
        return root
    }

    private func next(_ parser: inout yaml_parser_t) throws(YAMLMistake) -> (event: Event, line: Int) {
        var event = yaml_event_t()
        guard yaml_parser_parse(&parser, &event) == 1 else {
            // The library counts lines from 0.
            let mark = parser.problem_mark
            let problem = parser.problem.map { String(cString: $0) } ?? "cannot be read"
            throw YAMLMistake(
                line: Self.number(mark.line), column: Self.number(mark.column), problem, "must be YAML 1.1")
        }
        defer { yaml_event_delete(&event) }
        let line = Self.number(event.start_mark.line)
        switch event.type {
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            guard scalar.length <= YAMLTree.Limits.scalar else {
                throw YAMLMistake(
                    line: line, "found a text of \(scalar.length) bytes",
                    "must have at most \(YAMLTree.Limits.scalar)")
            }
            // The library checks that its input is UTF-8.
            let text = scalar.value.map {
                String(decoding: UnsafeBufferPointer(start: $0, count: scalar.length), as: UTF8.self)
            }
            return (.scalar(text ?? "", isQuoted: scalar.style != YAML_PLAIN_SCALAR_STYLE), line)
        case YAML_SEQUENCE_START_EVENT: return (.listStart, line)
        case YAML_SEQUENCE_END_EVENT: return (.listEnd, line)
        case YAML_MAPPING_START_EVENT: return (.tableStart, line)
        case YAML_MAPPING_END_EVENT: return (.tableEnd, line)
        case YAML_ALIAS_EVENT: return (.alias, line)
        case YAML_STREAM_END_EVENT, YAML_NO_EVENT: return (.end, line)
        default: return (.other, line)
        }
    }

    private mutating func take(_ event: Event, _ line: Int) throws(YAMLMistake) {
        switch event {
        case .scalar(let text, let isQuoted):
            try count(line)
            try add(PlanTree(.scalar(text, isQuoted: isQuoted), line: line))
        case .listStart, .tableStart:
            try count(line)
            guard open.count < YAMLTree.Limits.depth else {
                throw YAMLMistake(
                    line: line, "found more than \(YAMLTree.Limits.depth) nested lists and tables",
                    "must have at most \(YAMLTree.Limits.depth)")
            }
            if let last = open.last, last.isTable, last.key == nil {
                throw YAMLMistake(line: line, "found a list or table as a key", "must be a text")
            }
            if case .tableStart = event {
                open.append(Open(line: line, isTable: true))
            } else {
                open.append(Open(line: line, isTable: false))
            }
        case .listEnd, .tableEnd:
            guard let last = open.popLast() else { return }
            try add(PlanTree(last.isTable ? .table(last.entries) : .list(last.items), line: last.line))
        case .alias:
            throw YAMLMistake(line: line, "found an alias", "must be written out: aliases (*name) are not read")
        case .other, .end: return
        }
    }

    private mutating func count(_ line: Int) throws(YAMLMistake) {
        nodes += 1
        guard nodes <= YAMLTree.Limits.nodes else {
            throw YAMLMistake(
                line: line, "found more than \(YAMLTree.Limits.nodes) values",
                "must have at most \(YAMLTree.Limits.nodes)")
        }
    }

    private mutating func add(_ tree: PlanTree) throws(YAMLMistake) {
        guard !open.isEmpty else {
            root = tree
            return
        }
        let last = open.count - 1
        guard open[last].isTable else {
            open[last].items.append(tree)
            return
        }
        if let key = open[last].key {
            open[last].entries.append(PlanTree.Entry(key: key.text, line: key.line, value: tree))
            open[last].key = nil
        } else if let text = tree.text {
            guard open[last].keys.insert(text).inserted else {
                throw YAMLMistake(line: tree.line, "found the key \"\(text.prefix(60))\" again", "each must be unique")
            }
            open[last].key = (text, tree.line)
        }
    }

    private static func number(_ index: Int) -> Int { index < Int.max ? index + 1 : index }
}
