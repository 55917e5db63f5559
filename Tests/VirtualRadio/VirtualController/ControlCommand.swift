/// What the controller may be told while it runs, one word a line.
enum ControlCommand: String {
    case unplug, plug
    case hang, recover
    case hardwareError = "hardware-error"
    case mute, wedge, unmute
    case quiet, loud
    case flood, calm
}
