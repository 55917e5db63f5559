import AsyncAlgorithms
import BeaconModel
import GatewayCore
import ModuleDialogues
import SystemIO
import UARTConfig

/// Links to the modules, and what they receive.
extension FleetService {
    func close(_ device: String) {
        links[device]?.isClosed = true
        links[device]?.link?.close()
    }

    func open(_ port: SerialPortDescription, _ kind: ModuleKind, _ expected: BeaconConfiguration?) {
        linkCount += 1
        let number = linkCount
        let device = port.device
        let before = links[device]
        close(device)
        let dialogue = kind.dialogue(expected: expected, profile: profile)
        let hearing = HearingMailbox()
        Task { await self.follow(hearing, device: device, number: number) }
        let task = Task { [inbox] in
            // The port is free again when the last dialogue on it has ended.
            await before?.task.value
            defer { hearing.finish() }
            do {
                let link = try ModuleLink(port: port.name, dialogue: dialogue, hearing: hearing)
                self.begin(link, device: device, number: number)
                for try await event in link.events {
                    await inbox.send(.said(device: device, number: number, event))
                }
                await inbox.send(.ended(device: device, number: number, nil))
            } catch {
                await inbox.send(.ended(device: device, number: number, error))
            }
        }
        links[device] = Line(number: number, link: nil, task: task)
    }

    /// Passes on what the module on a port hears, apart from all other input: a flood of it delays nothing.
    private func follow(_ hearing: HearingMailbox, device: String, number: Int) async {
        var listener: Fleet.Listener?
        for await _ in hearing.arrivals {
            listener = fleet.listener(on: device) ?? listener
            let batch = hearing.take()
            await tell(batch, of: listener)
            if batch.dropped > 0 || batch.unreadable > 0 { await count(batch, device: device, number: number) }
        }
        // When the port closes, the module's listening ends with it.
        var last = hearing.take()
        last.items.append(.init(time: WallClock.now(), what: .listening(.ended(.interrupted))))
        await tell(last, of: fleet.listener(on: device) ?? listener)
    }

    nonisolated func tell(_ batch: HearingQueue.Batch, of listener: Fleet.Listener?) async {
        guard let listener, !batch.isEmpty else { return }
        await radio.send(
            .heardByModule(ModuleHearing(module: listener.name, address: listener.address, batch: batch)))
    }

    func count(_ batch: HearingQueue.Batch, device: String, number: Int) async {
        guard var line = links[device], line.number == number else { return }
        line.lost.dropped += batch.dropped
        line.lost.unreadable += batch.unreadable
        let lost = line.lost
        let isDue = line.toldLossAt == .zero || now - line.toldLossAt >= Self.lossInterval
        if isDue {
            line.lost = (0, 0)
            line.toldLossAt = now
        }
        links[device] = line
        guard isDue else { return }
        await take(.lostReports(device: device, dropped: lost.dropped, unreadable: lost.unreadable))
    }

    private func begin(_ link: ModuleLink, device: String, number: Int) {
        guard let line = links[device], line.number == number, !line.isClosed else {
            // The link is no longer wanted. Its events end with it.
            link.close()
            return
        }
        links[device]?.link = link
    }

    func setAlarm() {
        let deadline = fleet.nextDeadline
        if alarm?.at == deadline { return }
        alarm?.task.cancel()
        alarm = deadline.map { deadline in
            let wait = max(.zero, deadline - now)
            let task = Task { [inbox] in
                guard (try? await Task.sleep(for: wait)) != nil else { return }
                await inbox.send(.alarm)
            }
            return (task, deadline)
        }
    }
}
