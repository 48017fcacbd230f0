import Octets
import Testing

@Suite("Secret octets")
struct SecretOctetsTests {
    private struct FillFailure: Error {}

    @Test("The bytes can be borrowed as they were given")
    func borrowing() {
        let secret = SecretOctets(copying: [1, 2, 3])
        #expect(secret.count == 3)
        #expect(secret.withUnsafeBytes { Array($0) } == [1, 2, 3])
    }

    @Test("A filled secret holds what the closure wrote and zeros elsewhere")
    func filling() {
        let secret = SecretOctets(count: 4) { memory in memory[1] = 7 }
        #expect(secret.withUnsafeBytes { Array($0) } == [0, 7, 0, 0])
    }

    @Test("An error of the filling closure comes through")
    func failingFill() {
        #expect(throws: FillFailure.self) {
            _ = try SecretOctets(count: 4) { _ throws(FillFailure) in throw FillFailure() }
        }
    }

    @Test("A duplicate outlives its original")
    func duplicate() {
        let original = SecretOctets(copying: [4, 5])
        let copy = original.duplicate()
        _ = consume original
        #expect(copy.withUnsafeBytes { Array($0) } == [4, 5])
    }

    /// A secret that several tasks reach.
    private final class Shared: Sendable {
        let secret = SecretOctets(copying: 0..<64)
    }

    @Test("Many tasks borrow one secret at the same time and read the same bytes")
    func sharing() async {
        let shared = Shared()
        let readings = await withTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<200 { group.addTask { shared.secret.withUnsafeBytes { Array($0) } } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(readings.count == 200)
        #expect(readings.allSatisfy { $0 == Array(0..<64) })
    }

    @Test("Many tasks make and drop secrets at the same time, and none gets the memory of another")
    func turnover() async {
        let disturbed = await withTaskGroup(of: Int.self) { group in
            for task in 0..<64 {
                group.addTask { Self.disturbances(of: UInt8(task), rounds: 200) }
            }
            return await group.reduce(into: 0) { $0 += $1 }
        }
        #expect(disturbed == 0)
    }

    /// How often one of two secrets, which live at the same time, did not hold what was put into it.
    private static func disturbances(of value: UInt8, rounds: Int) -> Int {
        (0..<rounds).count { round in
            let first = SecretOctets(copying: repeatElement(value, count: 1 + round % 40))
            let second = SecretOctets(copying: repeatElement(value &+ 64, count: 1 + round % 40))
            return !first.withUnsafeBytes { bytes in bytes.allSatisfy { $0 == value } }
                || !second.withUnsafeBytes { bytes in bytes.allSatisfy { $0 == value &+ 64 } }
        }
    }

    @Test("An empty secret can be made, borrowed and duplicated")
    func empty() {
        let secret = SecretOctets(copying: [])
        #expect(secret.count == 0)
        #expect(secret.duplicate().withUnsafeBytes { $0.count } == 0)
    }

    @Test("Wiping an array overwrites its memory and empties it")
    func wiping() {
        var bytes: [UInt8] = [1, 2, 3]
        SecretOctets.wipe(&bytes)
        #expect(bytes.isEmpty)
        SecretOctets.wipe(&bytes)
        #expect(bytes.isEmpty)
    }
}
