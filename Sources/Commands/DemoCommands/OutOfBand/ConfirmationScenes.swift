import CommandSupport
import Foundation
import Octets
import StrictJSON

struct ConfirmationScenes {
    private static let payment = "Pay 1,250.00 EUR to Ben (DE02 1203 0000 0000 2020 51)"

    let scene: OutOfBandScene

    func play(to teller: inout StoryTeller) async {
        await playPushes(to: &teller)
        await playPeace(to: &teller)
        await playPayment(to: &teller)
        await playLosses(to: &teller)
    }

    private func playPushes(to teller: inout StoryTeller) async {
        await teller.play(
            "push-with-digits", "The laptop asks by a push message and shows two digits, which Anna types …"
        ) {
            let begun = try await scene.push(["--channel-linking", "typed"])
            let message = try await scene.receive()
            let outcome = try await scene.approve(message, digits: begun.digits, step: "push-with-digits")
            guard outcome.isDone else { return .bad(outcome.message) }
            return try await ended(begun, "succeeded", "Anna is signed in on the laptop.")
        }
        await teller.play("push-service-sees-nothing", "What has the push service seen of it? …") {
            let seen = try await scene.sink.sightings()
            let isOpaque =
                seen.contains(#""opaque":true"#) && !seen.contains("redeem") && !seen.contains(#""opaque":false"#)
            return isOpaque
                ? .good("That there was a message, when, and how long it is: the payload is encrypted to the phone.")
                : .bad("the push service could read it: \(seen)")
        }
        await teller.play("wrong-digits-refused", "An attacker begins one and hopes that Anna confirms …") {
            let begun = try await scene.push(["--channel-linking", "typed"])
            let outcome = try await scene.approve(
                try await scene.receive(), digits: begun.wrongDigits, step: "wrong-digits-refused")
            guard !outcome.isDone else { return .bad("wrong digits were taken") }
            return try await ended(
                begun, "failed", "Anna's laptop shows other digits: the operation ends, and the failure counts.")
        }
        await teller.play("refused-and-reported", "Once more; Anna says that it was not her …") {
            let begun = try await scene.push()
            let outcome = try await scene.run(
                "deny", [try await scene.receive().path(), "--report"], step: "refused-and-reported")
            guard outcome.isDone else { return .bad(outcome.message) }
            let status = try await scene.status(of: begun)
            return status["reported"] == .bool(true)
                ? .good(
                    "The laptop's server knows of it and says so in the status: an attack is seen while it happens.")
                : .bad("the server was not told: \(JSONWriter.text(.object(status)))")
        }
    }

    private func playPeace(to teller: inout StoryTeller) async {
        await teller.play("left-alone", "… and once more, as attackers do until a user gives in …") {
            do {
                _ = try await scene.push()
                return .bad("a message went out")
            } catch let failure as CommandFailure where failure.code == "tooManyOperations" {
                return .good("No message goes out: after two without success the user is left alone for a while.")
            }
        }
        await teller.play("confirmed-by-link", "On the phone itself a link replaces the code …") {
            let begun = try await scene.begin("authenticate", ["--dispatcher", "link"])
            guard let link = begun.link else { return .bad("there is no link") }
            let outcome = try await scene.open(link, step: "confirmed-by-link")
            return outcome.isDone
                ? try await ended(begun, "succeeded", "The link \(link.reveal().prefix(24))… opened the app.")
                : .bad(outcome.message)
        }
    }

    private func playPayment(to teller: inout StoryTeller) async {
        await teller.play("payment-signed", "A payment: what the phone shows is what it signs …") {
            let file = scene.stage.file("payment.txt")
            try Data(Self.payment.utf8).write(to: file)
            let begun = try await scene.push(["--transaction-file", file.path(), "--channel-linking", "none"])
            let message = try await scene.receive()
            let process = try scene.phone.start(
                "approve", [message.path(), "--pin-file", scene.stage.pinFile.path()],
                record: scene.stage.recording("payment-signed"))
            let ending = await process.ending()
            let outcome = try CommandOutcome(ending)
            guard outcome.isDone else { return .bad(outcome.message) }
            guard ending.complaints.contains(Self.payment) else { return .bad("the phone did not show the text") }
            return try await ended(begun, "succeeded", "“\(Self.payment)” is shown, signed and verified byte for byte.")
        }
    }

    private func playLosses(to teller: inout StoryTeller) async {
        await teller.play("lost-push-found", "A push message is lost; Anna opens the app anyway …") {
            let begun = try await scene.push(["--channel-linking", "typed"])
            let pending = try await scene.run("pending", step: "lost-push-found")
            guard pending.result.objects("operations").count == 1 else { return .bad("the phone found nothing") }
            let outcome = try await scene.approve(nil, digits: begun.digits, step: "lost-push-found")
            guard outcome.isDone else { return .bad(outcome.message) }
            // The push message is delivered after the operation has ended.
            let late = try await scene.approve(try await scene.receive(), digits: begun.digits, step: "late-push")
            guard late.error == "TokenAlreadyRedeemed" else { return .bad("the late message was taken") }
            return try await ended(begun, "succeeded", "The server told what waits; the message came too late.")
        }
        await teller.play("push-service-down", "The push service is down; the server tries for up to ten seconds …") {
            try await scene.sink.behave("unavailable", count: 20)
            do {
                _ = try await scene.push()
                return .bad("a message went out")
            } catch let failure as CommandFailure where failure.code == "dispatchError" {
                try await scene.sink.behave("normal", count: 1)
                let pending = try await scene.run("pending")
                return pending.result.objects("operations").isEmpty
                    ? .good("The laptop is told after the last try and can offer the QR code: \(failure.message).")
                    : .bad("an operation waits although its push failed")
            }
        }
    }

    private func ended(
        _ begun: BegunOperation, _ expected: String, _ sentence: String
    ) async throws -> StoryTeller.Finding {
        let status = try await scene.status(of: begun).text("status") ?? "nothing"
        return status == expected ? .good(sentence) : .bad("the laptop saw \(status)")
    }
}
