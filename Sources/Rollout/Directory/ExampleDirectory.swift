/// The files that a new directory begins with.
package enum ExampleDirectory {
    package static let files = [
        RolloutFile(
            path: "fleet.toml",
            text: """
                # The broker, as an operator reaches it. docs/guide/fleet.md describes every key.
                # The secret with which commands are signed. It never belongs into this directory.
                # key-file = "/home/operator/commands.key"

                [broker]
                host = "localhost"
                # username = "operator-anna"
                # password-file = "/home/operator/mqtt-password"

                [apply]
                stages = ["gateway", "floor", "building", "all"]
                at-once = 10
                trial = "5m"
                most-failures = 0

                """),
        RolloutFile(
            path: "common.toml",
            text: """
                # Keys for all gateways, as in a gateway's own configuration. A file in a deeper directory overrides them.
                [mqtt]
                host = "broker.example.org"

                [beacons]
                uuids = ["e2c56db5-dffb-48d2-b060-d0f5a71096e0"]

                """),
        RolloutFile(
            path: "campus/main/common.toml",
            text: """
                # Keys for all gateways of the building `main` of the site `campus`.
                [interactions]
                silence = "30s"

                """),
        RolloutFile(
            path: "campus/main/1/east.toml",
            text: """
                # The gateway campus/main/1/east: its place follows from the path.
                [place]
                room = "101"

                """),
    ]
}
