import CommandSupport
import DeviceCommands
import Foundation
import Octets

/// Out-of-band scenario: operations begun on a laptop and approved on a phone by QR code, link and push message, with
/// the errors that can occur and their repair.
struct OutOfBandStory {
    let stage: DemoStage

    func play(to teller: inout StoryTeller) async {
        var sink: LocalPushSink?
        var server: ChildProcess?
        await teller.play("server-started", "A server starts, and a stand-in for the push service …") {
            let started = try await stage.startPushSink()
            try stage.server.configure(Self.settings(started))
            sink = started
            server = try await stage.startServer(users: [OutOfBandScene.user])
            return .good("signet-server answers on \(stage.server.address), the push sink on \(started.address).")
        }
        guard let server, let sink else { return }
        defer { server.stop() }
        let scene = OutOfBandScene(stage: stage, sink: sink, phone: stage.phone(of: OutOfBandScene.user))
        await ArrivalScenes(scene: scene).play(to: &teller)
        await ConfirmationScenes(scene: scene).play(to: &teller)
        await DeviceScenes(scene: scene).play(to: &teller)
        await RepairScenes(scene: scene).play(to: &teller)
        await FarewellScenes(scene: scene).play(to: &teller)
    }

    private static func settings(_ sink: LocalPushSink) -> String {
        """
        fido-uaf:
          dispatchers:
            - \(sink.dispatcher)
            - { type: link, base-url: "signet://open" }
            - { type: png-qr-code }

        """
    }
}

struct ArrivalScenes {
    let scene: OutOfBandScene

    func play(to teller: inout StoryTeller) async {
        let stage = scene.stage
        let picture = stage.file("qr-code.png")
        await teller.play("registered-by-qr-code", "Anna's laptop shows a QR code; her new phone scans it …") {
            _ = try await stage.makePhone(
                of: OutOfBandScene.user,
                ["--push-sink", scene.sink.address, "--push-ca", scene.sink.authorityFile.path()])
            let begun = try await scene.begin(
                "register", ["--dispatcher", "png-qr-code", "--out", picture.path()])
            let code = try PayloadSource.file(picture.path()).text()
            let outcome = try await scene.run(
                "scan", [picture.path(), "--pin-file", stage.pinFile.path()], step: "registered-by-qr-code")
            guard outcome.isDone else { return .bad(outcome.message) }
            let status = try await scene.status(of: begun).text("status") ?? "nothing"
            return status == "succeeded"
                ? .good(
                    "The phone read the code, made a key under a PIN, and the laptop saw it succeed.",
                    showing: ShownCode(text: code).drawing.description)
                : .bad("the laptop saw \(status)")
        }
        await teller.play("second-scan-refused", "An attacker has photographed the code and scans it later …") {
            let outcome = try await scene.run(
                "scan", [picture.path(), "--pin-file", stage.pinFile.path()], step: "second-scan-refused")
            return outcome.error == "TokenAlreadyRedeemed" ? .good("A code is good once.") : .bad(outcome.message)
        }
    }
}

struct DeviceScenes {
    private static let name = "Anna's red phone"

    let scene: OutOfBandScene

    func play(to teller: inout StoryTeller) async {
        await teller.play("device-renamed", "Anna gives her phone another name …") {
            let outcome = try await scene.run("info change", ["--name", Self.name], step: "device-renamed")
            guard outcome.isDone else { return .bad(outcome.message) }
            let name = try await scene.targets().first?.text("name") ?? "nothing"
            return name == Self.name ? .good("The server calls it \(name) too.") : .bad("the server calls it \(name)")
        }
        await teller.play("push-switched-off", "She switches push messages off …") {
            let outcome = try await scene.run("info change", ["--no-push"], step: "push-switched-off")
            guard outcome.isDone else { return .bad(outcome.message) }
            do {
                _ = try await scene.push()
                return .bad("a message went out")
            } catch let failure as CommandFailure where failure.code == "dispatchError" {
                return .good("Nothing is sent any more: \(failure.message).")
            }
        }
        await teller.play("push-switched-on", "… and on again …") {
            let outcome = try await scene.run(
                "info change",
                ["--push-sink", scene.sink.address, "--push-ca", scene.sink.authorityFile.path()],
                step: "push-switched-on")
            guard outcome.isDone else { return .bad(outcome.message) }
            let push = try await scene.targets().first?.text("push") ?? "nothing"
            return push == "on"
                ? .good("The phone has a new address, and the server knows it.") : .bad("push is \(push)")
        }
    }
}

struct FarewellScenes {
    let scene: OutOfBandScene

    func play(to teller: inout StoryTeller) async {
        await teller.play("deregistered-by-jws", "Anna gives the phone away; it signs its own farewell …") {
            let outcome = try await scene.run(
                "deregister", ["--user", OutOfBandScene.user, "--jws"], step: "deregistered-by-jws")
            guard outcome.isDone else { return .bad(outcome.message) }
            let (credentials, targets) = (try await scene.credentials(), try await scene.targets())
            return credentials.isEmpty && targets.isEmpty
                ? .good("No user was asked: credentials and the record of the phone are gone, on both sides.")
                : .bad("the server still has \(credentials.count) credentials and \(targets.count) records")
        }
        await teller.play("link-refused-after-deregistration", "The laptop tries once more, by link …") {
            let begun = try await scene.begin("authenticate", ["--dispatcher", "link"])
            let outcome = try await scene.open(
                begun.link ?? Sensitive(""), step: "link-refused-after-deregistration")
            return outcome.isDone ? .bad("the phone confirmed") : .good(outcome.message)
        }
    }
}
