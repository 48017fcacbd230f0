import Foundation

/// The phone is registered by the QR code on the laptop.
struct ArrivalScenes {
    let scene: OutOfBandScene

    /// The code as the laptop shows it.
    private func drawing(of file: URL) throws -> String {
        ShownCode(text: try String(contentsOf: file, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines))
            .drawing
    }

    func play(to teller: inout StoryTeller) async {
        let stage = scene.stage
        let picture = stage.file("qr-code.png")
        await teller.play("registered-by-qr-code", "Anna's laptop shows a QR code; her new phone scans it …") {
            _ = try await stage.makePhone(
                of: OutOfBandScene.user,
                ["--push-sink", scene.sink.address, "--push-ca", scene.sink.authorityFile.path()])
            let begun = try await scene.begin(
                "register", ["--dispatcher", "png-qr-code", "--out", picture.path()])
            // Another program than the phone's own reader has to find the same in the picture.
            let text = stage.file("qr-code.txt")
            try await stage.readCode(in: picture, into: text)
            let outcome = try await scene.run(
                "scan", [text.path(), "--pin-file", stage.pinFile.path()], step: "registered-by-qr-code")
            guard outcome.isDone else { return .bad(outcome.message) }
            let status = try await scene.status(of: begun).text("status") ?? "nothing"
            return status == "succeeded"
                ? .good(
                    "zbarimg read the code, the phone made a key under a PIN, and the laptop saw it succeed.",
                    showing: try drawing(of: text))
                : .bad("the laptop saw \(status)")
        }
        await teller.play("second-scan-refused", "Somebody has photographed the code and scans it later …") {
            let outcome = try await scene.run(
                "scan", [picture.path(), "--pin-file", stage.pinFile.path()], step: "second-scan-refused")
            return outcome.error == "TokenAlreadyRedeemed" ? .good("A code is good once.") : .bad(outcome.message)
        }
    }
}
