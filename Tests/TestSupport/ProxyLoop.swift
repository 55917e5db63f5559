import Glibc
import SystemIO

/// The thread of a `CuttingProxy`.
struct ProxyLoop {
    let listener: CInt
    let brokerPort: UInt16
    let state: LockedValue<ProxyState>
    let wakeup: WakeupPipe
    private var links: [ProxyLink] = []
    private var isListening = true

    init(listener: CInt, brokerPort: UInt16, state: LockedValue<ProxyState>, wakeup: WakeupPipe) {
        self.listener = listener
        self.brokerPort = brokerPort
        self.state = state
        self.wakeup = wakeup
    }

    mutating func run() {
        while true {
            let orders = state.withLock { state in
                defer { state.isCutting = false }
                return state
            }
            if orders.isClosing { break }
            if orders.isCutting { cutAll() }
            listen(orders.mode != .refusing)
            // Of connections through which nothing moves nothing is awaited.
            var polled = [
                pollfd(fd: wakeup.readEnd, events: Int16(POLLIN), revents: 0),
                pollfd(fd: isListening ? listener : -1, events: Int16(POLLIN), revents: 0),
            ]
            if orders.mode == .passing { polled += links.flatMap(\.interest) }
            _ = poll(&polled, nfds_t(polled.count), -1)
            wakeup.drain()
            if polled[1].revents != 0 { accept() }
            if orders.mode == .passing { for index in links.indices.reversed() { serve(index) } }
        }
        cutAll()
        close(listener)
    }

    /// A socket that is bound and doesn't listen refuses, and nobody else can take the port.
    private mutating func listen(_ wanted: Bool) {
        guard wanted != isListening else { return }
        if wanted {
            isListening = Glibc.listen(listener, 64) == 0
        } else {
            shutdown(listener, CInt(SHUT_RDWR))
            isListening = false
            cutAll()
        }
    }

    private mutating func accept() {
        guard let client = LoopbackSocket.accept(listener) else { return }
        _ = fcntl(client, F_SETFL, O_NONBLOCK)
        var one: CInt = 1
        setsockopt(client, CInt(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<CInt>.size))
        links.append(ProxyLink(client: client))
        state.withLock { $0.counts.connections += 1 }
    }

    private mutating func serve(_ index: Int) {
        var link = links[index]
        let (clientBudget, brokerBudget, treatment) = state.withLock {
            ($0.clientBudget, $0.brokerBudget, $0.versionFive)
        }
        var isNews = false
        if !link.isEnding, !link.isChecked || link.fromClient.isEmpty {
            let bytes = ProxyLink.read(link.client, limit: clientBudget ?? 65_536)
            link.fromClient += bytes ?? []
            count(\.bytesFromClient, bytes, against: \.clientBudget)
            link.isEnding = bytes == nil
            isNews = bytes?.isEmpty == false
        }
        if !link.isChecked, let level = ProxyLink.level(link.fromClient) {
            admit(&link, level: level, treatment)
        }
        if isNews, link.isChecked, let refusal = state.withLock(\.refusal) {
            let count = link.refuse(refusal)
            state.withLock { $0.counts.refused += count }
        }
        if isNews, link.isChecked, let forbidden = state.withLock(\.forbidden),
            let topic = link.forbiddenTopic(forbidden)
        {
            state.withLock { $0.counts.closedOver.append(topic) }
            link.isEnding = true
        }
        if !link.isEnding, link.fromBroker.isEmpty {
            let bytes = ProxyLink.read(link.broker, limit: brokerBudget ?? 65_536)
            link.fromBroker += bytes ?? []
            count(\.bytesFromBroker, bytes, against: \.brokerBudget)
            link.isEnding = bytes == nil
            if let limit = state.withLock({ $0.acknowledgementsToSwallow }) {
                let count = link.swallowAcknowledgements(limit)
                state.withLock { state in
                    state.acknowledgementsToSwallow = limit - count
                    state.counts.swallowed += count
                }
            }
        }
        let isCut = state.withLock { $0.clientBudget == 0 || $0.brokerBudget == 0 }
        let clientTakes = ProxyLink.write(&link.fromBroker, to: link.client)
        let brokerTakes = ProxyLink.write(&link.fromClient, to: link.broker)
        links[index] = link
        if isCut {
            state.withLock { state in
                state.clientBudget = nil
                state.brokerBudget = nil
                state.counts.cuts += 1
            }
            // What was counted has to arrive, unless the broker doesn't take it.
            end(index, reset: true)
        } else if link.isEnding || !clientTakes || !brokerTakes {
            end(index, reset: false)
        }
    }

    private func count(
        _ counter: WritableKeyPath<ProxyCounts, Int>, _ bytes: [UInt8]?,
        against budget: WritableKeyPath<ProxyState, Int?>
    ) {
        guard let count = bytes?.count, count > 0 else { return }
        state.withLock { state in
            state.counts[keyPath: counter] += count
            state[keyPath: budget] = state[keyPath: budget].map { max(0, $0 - count) }
        }
    }

    /// Lets a client through to the broker, or treats it as one of MQTT 5 that the broker doesn't speak.
    private func admit(_ link: inout ProxyLink, level: UInt8, _ treatment: VersionFiveTreatment) {
        link.isChecked = true
        state.withLock { state in
            state.counts.levels.append(level)
            guard level == 5, treatment != .passed else { return }
            state.counts.versionsRefused += 1
            state.versionFiveTimes = state.versionFiveTimes.map { $0 - 1 }
            if state.versionFiveTimes == 0 { (state.versionFive, state.versionFiveTimes) = (.passed, nil) }
        }
        guard level != 5 || treatment == .passed else {
            // CONNACK: no session, "unacceptable protocol version".
            link.fromBroker = treatment == .refused ? [0x20, 2, 0, 1] : []
            link.isEnding = true
            return
        }
        do {
            link.broker = try LoopbackSocket.connect(to: brokerPort)
        } catch {
            link.isEnding = true
        }
    }

    private mutating func cutAll() {
        state.withLock { $0.counts.cuts += links.count }
        while let link = links.popLast() { link.close(reset: true) }
    }

    private mutating func end(_ index: Int, reset: Bool) { links.remove(at: index).close(reset: reset) }
}
