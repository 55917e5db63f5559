/// Every group once left out of what is fitted.
enum LeaveOneGroupOut {
    /// The indices of each group and of all others, in the order of the groups' names. With one group there is nothing
    /// to learn from, and it learns from itself; `isHonest` is false then.
    static func folds(_ groups: [String]) -> (folds: [(held: [Int], training: [Int])], isHonest: Bool) {
        let names = Set(groups).sorted()
        let everything = Array(groups.indices)
        guard names.count > 1 else { return ([(everything, everything)], false) }
        return (
            names.map { name in (everything.filter { groups[$0] == name }, everything.filter { groups[$0] != name }) },
            true
        )
    }
}
