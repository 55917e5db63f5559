/// Memory for steps of filters, so that no step allocates it.
package struct FilterScratch: Sendable {
    var likelihoods: [CellLikelihood] = []

    package init() {}

    mutating func prepare(floors: Int) {
        while likelihoods.count < floors { likelihoods.append(CellLikelihood()) }
    }
}
