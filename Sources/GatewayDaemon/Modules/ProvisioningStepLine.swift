import BeaconModel
import ModuleDialogues
import OperatorText

extension ProvisioningStep {
    /// Progress line for a waiting user: a keyword, and what was reached.
    package var line: String {
        let (word, text) = words
        return word + String(repeating: " ", count: max(1, 11 - word.count)) + text
    }

    private var words: (String, String) {
        switch self {
        case .handshake(let byte): ("handshake", "the boot loader answers (to 0x\(HexadecimalText.of([byte])))")
        case .greeted(let baudRate): ("handshake", "the module answers at \(baudRate) baud")
        case .resetting: ("reset", "the firmware is already running; resetting it")
        case .bootWarning(let text): ("warning", "the boot loader reports: \(text)")
        case .firmwareLoaded: ("firmware", "loaded")
        case .firmwareVersion(let version): ("firmware", version)
        case .bluetoothLoaded: ("bluetooth", "on")
        case .bluetoothUnconfirmed: ("bluetooth", "not confirmed by the module; continuing anyway")
        case .address(let address): ("address", "\(address)")
        case .advertisingDataSet(let data): ("data", "\(data.count) bytes \(HexadecimalText.of(data))")
        case .advertisingTypeRefused(let type, let code):
            ("warning", "no \(type.name) advertising with this firmware (ERROR \(code)); trying connectable")
        case .advertising(let type, let interval):
            ("on air", "\(type.name) (\(type.rawValue)), every \(interval); check it with `beacon-gateway scan`")
        case .listeningInTurns:
            ("warning", "the module cannot advertise and listen at once: it listens for some seconds of each minute")
        case .listeningRefused(let code): ("warning", "the module refused to listen (ERROR \(code))")
        case .unchanged: ("on air", "already as specified; nothing was changed")
        case .onlyConnectable:
            (
                "warning",
                "the module advertises connectably, because its firmware supports nothing else: a connection stops it"
            )
        case .sentAgain(let type, let interval):
            (
                "on air",
                "\(type.name) (\(type.rawValue)), every \(interval), as specified; the advertising data, which cannot "
                    + "be read back, was sent again"
            )
        case .markRefused(let code):
            (
                "warning",
                "the module refused its name (ERROR \(code)): later on, it cannot report what it advertises"
            )
        case .transmitPowerRefused(let index, let code):
            ("warning", "the module refused transmit power \(index) (ERROR \(code)); it uses its default")
        case .retrying(let reason): ("again", reason)
        }
    }
}
