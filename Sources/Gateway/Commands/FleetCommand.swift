import ArgumentParser

struct FleetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fleet",
        abstract: "Configures many gateways from one directory in git, and shows their state.",
        discussion: """
            docs/guide/fleet.md describes the directory, and how a rollout proceeds.

              beacon-gateway fleet init gateways
              beacon-gateway fleet plan gateways
              beacon-gateway fleet apply gateways --only campus/main/1
              beacon-gateway fleet status gateways
            """,
        subcommands: [
            FleetInitCommand.self, FleetPlanCommand.self, FleetApplyCommand.self, FleetStatusCommand.self,
        ])
}
