import ServerCore
import Testing

@Suite("Random numbers that are no secrets")
struct BufferedRandomNumbersTests {
    private let random = BufferedRandomNumbers()

    @Test("No number comes twice, from one task or from several at the same time, beyond what is fetched at once")
    func distinct() async {
        let drawn = await withTaskGroup(of: [UInt64].self) { group in
            for _ in 0..<8 {
                group.addTask { (0..<1_000).map { _ in random.next() } }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(drawn.count == 8_000 && Set(drawn).count == 8_000)
    }

    @Test("Each bit is set in about half of the numbers")
    func bits() {
        let numbers = (0..<4_000).map { _ in random.next() }
        for bit in 0..<64 {
            let count = numbers.count { $0 >> UInt64(bit) & 1 == 1 }
            // Ten standard deviations.
            #expect(abs(count - 2_000) < 320, "bit \(bit)")
        }
    }
}
