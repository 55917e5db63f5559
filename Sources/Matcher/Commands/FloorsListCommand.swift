import ArgumentParser
import CommandSupport
import FloorPlans
import OperatorText
import RecordContract

struct FloorsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists the floors that have plans.")

    @Argument(help: "Files of floor plans (default: that of the configuration).")
    var files: [String] = []

    @Flag(help: "Print one JSON document per line.")
    var json = false

    @OptionGroup var options: FloorPlanOptions

    /// A line of `--json`. Lengths are in metres, areas in square metres.
    private struct Document: Encodable {
        var floor: String
        var name: String?
        var z: Double
        var height: Double
        var area: Double
        var rooms: Int
        var doors: Int
        var receivers: Int?
    }

    func run() async throws {
        try await Terminal.run {
            let opened = try options.open(files)
            if json {
                for plan in opened.plans {
                    try Terminal.print(
                        JSON.encode(
                            Document(
                                floor: plan.path, name: plan.name, z: plan.elevation, height: plan.height,
                                area: rounded(plan.outline.area, 100), rooms: plan.rooms.count,
                                doors: plan.doors.count,
                                receivers: opened.receivers.map { _ in opened.receivers(on: plan).count })))
                }
                return
            }
            var table = TextTable([
                ("FLOOR", .left), ("NAME", .left), ("Z", .right), ("HEIGHT", .right), ("AREA", .right),
                ("ROOMS", .right), ("DOORS", .right), ("RECEIVERS", .right),
            ])
            for plan in opened.plans {
                table.add([
                    plan.path, plan.name ?? "", Metres.text(plan.elevation), Metres.text(plan.height),
                    Format.fixed(plan.outline.area, 1) + " m²", "\(plan.rooms.count)", "\(plan.doors.count)",
                    opened.receivers == nil ? "?" : "\(opened.receivers(on: plan).count)",
                ])
            }
            try Terminal.print(table)
        }
    }
}
