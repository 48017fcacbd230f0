import HardwareKeys
import Testing

@Suite("A one-shot value: the first one counts, and one task waits for it")
struct OneShotTests {
    @Test("A value that comes first waits for its task, and one that comes later wakes it")
    func handedOver() async {
        let early = OneShot<Int>()
        early.fill(1)
        #expect(await early.value() == 1)
        let late = OneShot<Int>()
        async let value = late.value()
        late.fill(2)
        #expect(await value == 2)
    }

    @Test("A second value changes nothing, before the first was taken and after it")
    func secondValue() async {
        let shot = OneShot<Int>()
        #expect(!shot.isFilled)
        shot.fill(1)
        shot.fill(2)
        #expect(shot.isFilled)
        #expect(await shot.value() == 1)
        shot.fill(3)
        #expect(shot.isFilled)
    }
}
