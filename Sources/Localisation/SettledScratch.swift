/// Memory for settling, so that subjects can share it.
package struct SettledScratch: Sendable {
    var memory = Memory()

    struct Memory: Sendable {
        var filter = FilterScratch()
    }

    package init() {}
}
