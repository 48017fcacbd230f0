import ArgumentParser

/// The stories that can be played.
enum DemoStory: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// Registration, authentication, the attacks that fail, deregistration.
    case signIn = "sign-in"
    /// Everything that is begun on one screen and answered on a phone.
    case outOfBand = "out-of-band"
    /// A forgotten PIN, a lost phone, a new one.
    case recovery

    /// What to see after this one.
    var others: [DemoStory] { Self.allCases.filter { $0 != self } }

    /// One line about the story.
    var summary: String {
        switch self {
        case .signIn: "a phone registers and signs in with a PIN, attacks fail, the phone is deregistered"
        case .outOfBand:
            "a laptop begins, a phone confirms: QR code, push with digits, a payment, and what can go wrong"
        case .recovery: "a PIN is locked, a phone is lost, a new one comes: the ways back, with two devices of one user"
        }
    }
}
