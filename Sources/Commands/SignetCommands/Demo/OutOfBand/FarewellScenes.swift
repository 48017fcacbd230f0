import Foundation

/// The phone deregisters itself.
struct FarewellScenes {
    let scene: OutOfBandScene

    func play(to teller: inout StoryTeller) async {
        await teller.play("deregistered-by-jws", "Anna gives the phone away; it signs its own farewell …") {
            let outcome = try await scene.run(
                "deregister", ["--user", OutOfBandScene.user, "--jws"], step: "deregistered-by-jws")
            guard outcome.isDone else { return .bad(outcome.message) }
            let (credentials, targets) = (try await scene.credentials(), try await scene.targets())
            return credentials.isEmpty && targets.isEmpty
                ? .good("Nobody was asked: credentials and the record of the phone are gone, on both sides.")
                : .bad("the server still has \(credentials.count) credentials and \(targets.count) records")
        }
        await teller.play("nobody-answers-after-deregistration", "The laptop tries once more, by link …") {
            let begun = try await scene.begin("authenticate", ["--dispatcher", "link"])
            let outcome = try await scene.run(
                "open", [begun.link ?? "", "--pin-file", scene.stage.pinFile.path()],
                step: "nobody-answers-after-deregistration")
            return outcome.isDone ? .bad("somebody confirmed") : .good(outcome.message)
        }
    }
}
