import ArgumentParser
import OperatorText
import Rollout

/// Options that select gateways of a directory.
struct FleetScope: ParsableArguments {
    @Argument(help: ArgumentHelp("The directory with fleet.toml and the gateways' files.", valueName: "directory"))
    var directory = "."

    @Option(
        help: ArgumentHelp(
            "Only gateways of this place: campus, campus/main, campus/main/1 or campus/main/1/east. Can be repeated.",
            valueName: "place"))
    var only: [String] = []

    func validate() throws {
        for text in only where RolloutStage.place(text) == nil {
            throw ValidationError("--only \(text.excerpt) must be SITE, SITE/BUILDING, and so on down to a gateway")
        }
    }

    /// Returns the selected gateways.
    ///
    /// - Throws: `ValidationError` for a place without gateways.
    func selected(of gateways: [GatewayPath]) throws -> [GatewayPath] {
        if only.isEmpty { return gateways }
        let places = only.compactMap { RolloutStage.place($0) }
        for (text, place) in zip(only, places) where !gateways.contains(where: { $0.isWithin(place) }) {
            throw ValidationError("--only \(text.excerpt): the directory has no gateway there")
        }
        return gateways.filter { gateway in places.contains { gateway.isWithin($0) } }
    }
}
