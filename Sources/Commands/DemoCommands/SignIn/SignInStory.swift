import CommandSupport
import Foundation

/// Sign-in scenario: a phone registers and authenticates with a PIN, attacks fail, the phone is deregistered and
/// authenticates no longer.
struct SignInStory {
    private static let user = "anna"
    private static let victim = "ben"

    let stage: DemoStage

    func play(to teller: inout StoryTeller) async {
        var server: ChildProcess?
        await teller.play("server-started", "A server starts with an empty database …") {
            server = try await stage.startServer(users: [Self.user, Self.victim])
            return .good("signet-server answers on \(stage.server.address); anna and ben have accounts.")
        }
        guard let server else { return }
        defer { server.stop() }
        await playArrival(to: &teller)
        await playAttacks(to: &teller)
        await playFarewell(to: &teller)
    }

    private func playArrival(to teller: inout StoryTeller) async {
        await teller.play("registered", "Anna's and Ben's phones each make a key under a PIN …") {
            for name in [Self.victim, Self.user] {
                let outcome = try await stage.register(name)
                guard outcome.isDone else { return .bad(outcome.message) }
            }
            return .good("The server has the public halves of the keys; the PINs stay with their users.")
        }
        await teller.play("authenticated", "Anna signs in …") {
            let outcome = try await stage.authenticate(stage.phone(of: Self.user), Self.user, step: "authenticated")
            return outcome.isDone ? .good("The PIN opened the key, the key answered.") : .bad(outcome.message)
        }
    }

    private func playAttacks(to teller: inout StoryTeller) async {
        await teller.play("wrong-pin-refused", "A thief holds Anna's phone …") {
            let outcome = try await stage.authenticate(
                stage.phone(of: Self.user), Self.user, pinFile: stage.wrongPINFile, step: "wrong-pin-refused")
            return outcome.error == "WrongPin" ? .good(outcome.message) : .bad(outcome.message)
        }
        await teller.play("replay-refused", "An attacker records how Anna signs in and sends it again …") {
            let status = try await stage.attack(Self.user, step: "replay-refused") { ReplayingCarrier(over: $0) }
            return .refusal(1491, status, "That challenge is used up.")
        }
        await teller.play("tampered-refused", "An attacker on the way flips one bit of an answer …") {
            let status = try await stage.attack(Self.user, step: "tampered-refused") { TamperingCarrier(over: $0) }
            return .refusal(1498, status, "The signature does not fit any more.")
        }
        await teller.play("foreign-user-refused", "Anna's key answers a challenge that was made for Ben …") {
            let status = try await stage.attack(Self.user, step: "foreign-user-refused") {
                SplicingCarrier(over: $0, user: Self.user, victim: Self.victim)
            }
            return .refusal(1401, status, "A good signature, but not Ben's.")
        }
    }

    private func playFarewell(to teller: inout StoryTeller) async {
        let phone = stage.phone(of: Self.user)
        var copy: PhoneProcess?
        await teller.play("deregistered", "Anna gives her phone away, and deregisters it first …") {
            copy = try stage.copy(phone)
            let outcome = try await phone.run(
                "deregister", ["--user", Self.user, "--pin-file", stage.pinFile.path()],
                record: stage.recording("deregistered"))
            return outcome.isDone ? .good("Key and record are gone, on both sides.") : .bad(outcome.message)
        }
        await teller.play(
            "authentication-after-deregistration-refused", "A copy of the phone, made before, tries to sign in …"
        ) {
            guard let copy else { return .bad("there is no copy") }
            let outcome = try await stage.authenticate(
                copy, Self.user, step: "authentication-after-deregistration-refused")
            let isRefused = outcome.code == CommandFailure.Kind.refused.rawValue && outcome.fidoErrorCode != nil
            return isRefused
                ? .good("The key exists, but the server does not know it any more.") : .bad(outcome.message)
        }
    }
}
