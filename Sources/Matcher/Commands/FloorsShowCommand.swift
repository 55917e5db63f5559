import ArgumentParser
import CommandSupport
import FloorPlans
import OperatorText
import SystemIO

struct FloorsShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows the rooms of a floor as a table, or its plan as a picture.")

    @Argument(help: "The floor: SITE/BUILDING/FLOOR, or the end of it.")
    var floor: String

    @Option(help: ArgumentHelp("A file of floor plans (default: that of the configuration).", valueName: "file"))
    var plan: String?

    @Flag(help: "Print the plan as SVG.")
    var svg = false

    @Option(name: [.short, .long], help: ArgumentHelp("Write the picture to a file.", valueName: "file"))
    var output: String?

    @OptionGroup var options: FloorPlanOptions

    func validate() throws {
        if output != nil, !svg { throw ValidationError("-o needs --svg") }
    }

    func run() async throws {
        try await Terminal.run {
            let opened = try options.open([plan].compactMap(\.self))
            let plan = try opened.plan(floor)
            let receivers = opened.receivers(on: plan)
            guard svg else { return try printTable(plan, opened.receivers == nil ? nil : receivers) }
            let picture = FloorPlanDrawing(plan, receivers: receivers).svg
            guard let output else { return try Terminal.write(picture) }
            try FileContents.replace(output, with: Array(picture.utf8))
            Terminal.note("wrote \(output)")
        }
    }

    private func printTable(_ plan: FloorPlan, _ receivers: [PlanReceiver]?) throws {
        let contents = PlanContents(plan, receivers: receivers ?? [])
        var table = TextTable([
            ("ROOM", .left), ("AREA", .right), ("CAPACITY", .right), ("DOORS", .right), ("RECEIVERS", .left),
        ])
        for (index, room) in plan.rooms.enumerated() {
            table.add([
                room.name, Format.fixed(room.polygon.area, 1) + " m²", room.capacity.map { "\($0)" } ?? "",
                "\(contents.doors[index])",
                receivers == nil ? "?" : contents.receivers[index].map(\.name).joined(separator: ", "),
            ])
        }
        try Terminal.print(table)
        for receiver in contents.others {
            Terminal.note(
                receiver.position == nil
                    ? "receiver \(receiver.name) has no position" : "receiver \(receiver.name) is in no room")
        }
    }
}
