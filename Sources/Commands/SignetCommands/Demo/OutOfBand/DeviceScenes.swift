import Foundation

/// Anna changes her phone's name and its push messages.
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
