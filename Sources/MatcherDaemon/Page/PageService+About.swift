import InteractionStore
import MatcherCore
import OperatorText
import Pages

// What the service does with data, and the page without a network: for everybody, and of nobody.
extension PageService {
    /// Shows what is heard and kept, and who sees it.
    func about(_ request: PageRequest) -> PageAnswer {
        var heard = [
            "Badges that send Bluetooth signals, and phones whose owners take part. Receivers in rooms note when and "
                + "how strongly they hear them.",
            "No sound, no picture, and nothing of what is on a phone.",
        ]
        if let localisation = configuration.localisation, localisation.live.isOn {
            heard.append("Badges are shown on maps of floors while they are heard. Phones never are.")
        }
        if configuration.attendance != nil {
            heard.append("At lectures: whether your badge or phone was in the room, and for how long.")
        }
        return page(
            AboutPage(
                request.frame("About this service and your data"), heard: heard, kept: kept, readers: readers,
                sender: configuration.notices.sender))
    }

    /// Shows the page that browsers keep for when there is no network: the same for everybody.
    func offline() -> PageAnswer {
        page(
            MessagePage(
                Frame("No connection"), what: "The page cannot be loaded: there is no connection to this service.",
                remedy: "Nothing about you is kept on this device. Try again when you have a network.",
                link: MessagePage.Link("Try again", path: "/")))
    }

    private var readers: [AboutPage.Reader] {
        var readers = [
            AboutPage.Reader(
                "You", "Your own status, days of exposures, attendance and answers. No place, and nobody else."),
            AboutPage.Reader("Health officers", officersSee.joined(separator: " ")),
        ]
        if configuration.attendance != nil {
            readers.append(
                AboutPage.Reader(
                    "Lecturers", "Attendance at their own courses, with names, check-ins and corrections."))
        }
        readers += [
            AboutPage.Reader("Operators of the building", operatorsSee.joined(separator: " ")),
            AboutPage.Reader(
                "Auditors",
                "Who of these people saw or changed what, with the numbers of those it was about, and who "
                    + "is signed in, except for students."),
            AboutPage.Reader("Nobody but you", "Your answers to the questionnaire."),
        ]
        return readers
    }

    /// What the pages of health officers show about people, in sentences.
    private var officersSee: [String] {
        var sentences = [
            "Reports of positive tests, with the symptoms that were stated; results that were sent in, with their "
                + "picture, until they decide.",
            "Who was exposed when, where and how near, and who was told of it.",
            "The register of people: names, numbers, contacts, badges and phones.",
        ]
        if let localisation = configuration.localisation {
            if !localisation.settled.isEmpty {
                let kept = localisation.stayRetention ?? configuration.readingRetention
                let days = min(Self.daysOfStays, kept)
                sentences.append(
                    "If they ask for a person: in which rooms the person was "
                        + (days == 1 ? "today." : "in the last \(days) days."))
            }
            if localisation.live.isOn { sentences.append("Maps of where badges are now, with names.") }
        }
        if configuration.attendance != nil {
            sentences.append("Attendance at all courses, with check-ins and corrections.")
        }
        return sentences
    }

    /// What the pages of operators show, in sentences.
    private var operatorsSee: [String] {
        var sentences = [
            "Receivers, beacons of rooms, plans of floors, and the labels of codes with which phones take part."
        ]
        if let localisation = configuration.localisation {
            if localisation.live.isOn { sentences.append("Where badges are now, as dots without names.") }
            sentences.append("Spots at which somebody measured a floor with a badge, and not whose badge it was.")
        }
        return sentences
    }

    /// Data that is kept about a person, with the times of the configuration.
    var kept: [MePage.Kept] {
        func days(_ count: Int64) -> String { count == 1 ? "1 day" : "\(count) days" }
        var kept = [
            MePage.Kept("When and near which gateway your badge or phone was heard", days(configuration.retention)),
            MePage.Kept("How strongly it was heard, minute by minute", days(configuration.readingRetention)),
        ]
        if let localisation = configuration.localisation, !localisation.settled.isEmpty {
            kept.append(
                MePage.Kept(
                    "In which rooms it was", days(localisation.stayRetention ?? configuration.readingRetention)))
        }
        kept += [
            MePage.Kept("Exposures", days(configuration.retention)),
            MePage.Kept("Reports of a positive test", days(configuration.reports.retention)),
            MePage.Kept(
                "Test results that you send in, with their picture",
                "until a health officer has decided, at most \(days(InteractionStore.waitingLifetime / 86_400))"),
        ]
        kept.append(MePage.Kept("Your answers to the questionnaire", days(configuration.reports.retention)))
        if let attendance = configuration.attendance {
            kept.append(
                MePage.Kept(
                    "Attendance, check-ins and corrections",
                    attendance.studentsErase ? "until you delete them" : "as long as your institution keeps them"))
        }
        kept.append(
            MePage.Kept(
                "Whether and where notices were sent to you by e-mail, without their text",
                days(configuration.reports.retention)))
        kept.append(
            MePage.Kept(
                "Your name, number, contact and badge, if you are in the register of people",
                "until your institution takes you off the list"))
        kept.append(
            MePage.Kept("What people with a role did on this page", days(configuration.reports.retention)))
        return kept
    }
}
