/// A value for each two people, whichever of them comes first.
struct Pairs<Value: Sendable>: Sendable {
    let people: Int
    private var values: [Value]

    init(people: Int, _ value: Value) {
        self.people = people
        values = Array(repeating: value, count: people * max(0, people - 1) / 2)
    }

    /// Of two who aren't the same.
    subscript(one: Int, other: Int) -> Value {
        get { values[index(one, other)] }
        set { values[index(one, other)] = newValue }
    }

    var count: Int { values.count }

    mutating func update(_ one: Int, _ other: Int, _ body: (inout Value) -> Void) {
        body(&values[index(one, other)])
    }

    private func index(_ one: Int, _ other: Int) -> Int {
        let (low, high) = (min(one, other), max(one, other))
        return high * (high - 1) / 2 + low
    }
}
