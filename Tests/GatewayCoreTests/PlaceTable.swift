/// The tables that a configuration must have, before those that a test is about.
enum PlaceTable {
    static let text = """
        [place]
        site = "s"
        building = "b"
        floor = "1"
        gateway = "g"
        [beacons]
        uuids = ["e2c56db5-dffb-48d2-b060-d0f5a71096e0"]

        """
}
