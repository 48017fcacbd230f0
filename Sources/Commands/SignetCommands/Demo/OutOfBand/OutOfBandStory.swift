import Foundation

/// A laptop begins, a phone confirms: by QR code, link and push message; what can go wrong, goes wrong and is mended.
struct OutOfBandStory {
    let stage: DemoStage

    /// Plays every step.
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
