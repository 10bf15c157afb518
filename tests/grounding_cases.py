"""Invented facts, and sentences that they bear or do not bear, for trying the check of sentences."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """Some facts with sentences in varied wording: `true` ones that they bear, `false` ones by kind of error."""

    facts: tuple[str, ...]
    true: tuple[str, ...]
    false: dict[str, tuple[str, ...]]


CASES = [
    Case(
        facts=(
            "[kiln] Fire the second chamber in parallel\nPull request potters/kiln#412\nState: merged\n"
            "Author: Ingrid Solheim (isolheim)\nMerged by: Tomasz Baran (tbaran)\nOpened: "
            "2025-03-03\nMerged: 2025-03-05\n"
            "In this period: opened, merged\nCloses: potters/kiln#398\n\n"
            "Both chambers are fired at the same time. Firing takes 6.4 h instead of 11.9 h at 1,240 "
            "°C; gas use falls from "
            "38.5 kg to 31.2 kg, about 19% less. Tested on 14 loads with 3 glazes.",
            "potters/kiln#412",
        ),
        true=(
            (
                "Ingrid Solheim's change fires both chambers at the same time "
                "([#412](https://github.com/potters/kiln/pull/412))."
            ),
            "Solheim cut firing from 11.9 hours to 6.4 hours (#412).",
            "With #412 merged, firing takes 6.4 h, down from 11.9 h.",
            "Gas use fell from 38.5 kg to 31.2 kg, roughly 19 percent less.",
            (
                "The second chamber is now fired in parallel, which was tested on fourteen loads with "
                "three glazes (potters/kiln#412)."
            ),
            "isolheim opened the pull request on March 3 and Tomasz Baran merged it two days later.",
            "Merged on March 5th, #412 closes #398.",
            "At 1,240 °C both chambers run together, and gas use drops to 31.2 kg.",
            "Firing both chambers at once saves gas: 31.2 kg instead of 38.5 kg.",
            "The change by Ingrid Solheim landed this week.",
            "Tests covered 14 loads and 3 glazes.",
            "It takes 6.4 rather than 11.9 hours to fire a load.",
        ),
        false={
            "number": (
                "Firing takes 4.6 h instead of 11.9 h (#412).",
                "Gas use falls by 91%.",
                "It was tested on forty loads with three glazes.",
                "Firing takes 6.4 h instead of 12 h.",
            ),
            "unit": ("Firing takes 6.4 minutes instead of 11.9 minutes.", "Gas use falls to 31.2 km."),
            "reference": (
                "Ingrid Solheim fired both chambers in parallel (#421).",
                "The work in potters/wheel#412 fires both chambers in parallel.",
                "Merged on March 5th, #412 closes #389.",
            ),
            "state": (
                "Ingrid Solheim's #412 is still open.",
                "#412 was closed without being merged.",
                "The change remains a draft (#412).",
                "#412 has not been merged yet.",
            ),
            "direction": (
                "Gas use rose from 38.5 kg to 31.2 kg.",
                "Gas use fell from 31.2 kg to 38.5 kg.",
                "Firing went up from 6.4 h to 11.9 h.",
                "Gas use is about 19% more.",
            ),
            "name": (
                "Henrik Dahl fires both chambers at the same time (#412).",
                "Tomasz Baran opened #412 to fire both chambers in parallel.",
                "Ingrid Dahl cut firing from 11.9 h to 6.4 h.",
                "@hdahl cut firing from 11.9 h to 6.4 h.",
            ),
            "link": (
                "Ingrid Solheim fires both chambers ([#412](https://github.com/potters/kiln/pull/421)).",
                "Ingrid Solheim fires both chambers ([details](https://kiln.example.org/412)).",
                "See potters.example.com for the change (#412).",
            ),
            "date": ("#412 was merged on March 6.", "Opened on 2025-04-03, #412 fires both chambers."),
            "form": (
                "# Both chambers are fired at the same time (#412)",
                "Both chambers are fired at the same time, thanks <@1234567890>!",
                "@everyone both chambers are fired at the same time.",
                "- Both chambers are fired at the same time.",
                "Both chambers are fired at the same time.\n> and more",
                "Both chambers are fired at the same time <script>alert(1)</script>.",
            ),
        },
    ),
    Case(
        facts=(
            "Issue riverwatch/gauges#77\nGauge 12 reports a level of 0 after a restart\nState: "
            "open\nAuthor: Nadia Karimi (nkarimi)\n"
            "Labels: bug, firmware\n\nAfter a restart the gauge reports 0 mm for 45 s. Seen on 5 of "
            "38 gauges, all with firmware 2.7.1. "
            "Does not happen with 2.6.",
            "Comment on riverwatch/gauges#77 by Owen Pryce (opryce), 2025-06-18\n\nReproduced on the bench, the sensor "
            "is not ready yet when it is read first. A delay of 60 s hides it.",
            "riverwatch/gauges#77",
        ),
        true=(
            "Nadia Karimi reported that gauge 12 shows a level of zero after a restart (#77).",
            "Five of 38 gauges report 0 mm for 45 seconds after a restart, all of them with firmware 2.7.1.",
            "The bug is still open; Owen Pryce reproduced it on the bench.",
            "According to Owen Pryce, the sensor is not ready when it is first read.",
            "A delay of sixty seconds hides the problem, opryce wrote.",
            "Gauges with firmware 2.6 are not affected (riverwatch/gauges#77).",
            "On the bench, Pryce found that the sensor is read too early.",
            "Issue #77, opened by Nadia Karimi, remains open.",
            "Karimi's report covers 5 out of 38 gauges.",
            "After a restart, gauges on 2.7.1 report zero for 45 s.",
        ),
        false={
            "number": (
                "Eight of 38 gauges report 0 mm after a restart.",
                "Five of 83 gauges report 0 mm after a restart.",
                "A delay of 90 s hides it.",
            ),
            "version": ("All affected gauges have firmware 2.7.2.", "The gauges run firmware 3.0."),
            "unit": ("The gauge reports 0 mm for 45 min.", "The gauge reports 0 mm for 45 ms."),
            "state": (
                "#77 was closed this week.",
                "Owen Pryce merged #77.",
                "Nadia Karimi reopened #77.",
                "The fix for gauge 12 was merged (#77).",
            ),
            "negation": ("The bug happens with 2.6 as well.", "The sensor is ready when it is read first."),
            "name": (
                "Mario Conti reproduced it on the bench.",
                "Nadia Pryce reproduced it on the bench.",
                "@mconti reported that gauge 12 shows zero.",
            ),
            "reference": ("Nadia Karimi reported it in #78.", "Nadia Karimi reported it in riverwatch/pumps#77."),
            "kind": ("Nadia Karimi opened pull request #77.",),
            "channel": ("Owen Pryce discussed it in #hardware.",),
            "quote": ("Owen Pryce said “the firmware is a disaster”.",),
        },
    ),
    Case(
        facts=(
            "Marta Silva in #results\n\nFinished the run on 256 cores: the new solver gets 91.3% on "
            "Harbor and 74.8% on Quayside, the old one "
            "got 88.6% and 75.9%. Throughput 3,410 it/s against 2,870 it/s before. Peak memory went "
            "up from 18.2 GB to 23.7 GB. "
            "Report: https://reports.example.net/solver/7",
            "message 55",
        ),
        true=(
            "In #results, Marta Silva said that the new solver reaches 91.3% on Harbor and 74.8% on Quayside.",
            "The new solver gets 91.3 percent on Harbor, up from 88.6 percent.",
            "On Quayside it slipped from 75.9% to 74.8%.",
            "Throughput rose from 2,870 to 3,410 iterations per second.",
            "Peak memory grew from 18.2 GB to 23.7 GB.",
            "Silva's run used 256 cores.",
            "Marta Silva finished a run on 256 cores and published a [report](https://reports.example.net/solver/7).",
            "Memory is the price: 23.7 GB at peak instead of 18.2 GB.",
            "Harbor improved to 91.3%, while Quayside fell to 74.8%.",
            "Throughput is about 3,400 it/s.",
            "With 3,410 it/s the new solver is faster than before.",
        ),
        false={
            "swap": (
                "The new solver gets 74.8% on Harbor and 91.3% on Quayside.",
                "The old solver got 91.3% on Harbor, the new one 88.6%.",
                "Quayside rose to 91.3%.",
            ),
            "direction": (
                "On Quayside it rose from 75.9% to 74.8%.",
                "Throughput fell from 3,410 it/s to 2,870 it/s.",
                "Peak memory shrank from 23.7 GB to 18.2 GB.",
                "Peak memory went down to 23.7 GB.",
            ),
            "number": (
                "The new solver gets 93.1% on Harbor.",
                "Marta Silva finished the run on 265 cores.",
                "Throughput went up by 540 it/s.",
            ),
            "unit": ("Peak memory went up from 18.2 TB to 23.7 TB.", "Peak memory is 23.7 GiB."),
            "link": (
                "Marta Silva published a [report](https://reports.example.net/solver/8).",
                "Marta Silva published a [report](https://reports.example.net.evil.org/solver/7).",
            ),
            "channel": ("In #general, Marta Silva said that the new solver is ready.",),
            "name": (
                "In #results, Marta Souza said that the new solver is faster.",
                "The solver beats Gurobi on Harbor.",
            ),
        },
    ),
    Case(
        facts=(
            "48 people introduced themselves.",
            "312 people joined; 264 of them joined silently, without an introduction. 7 people left, 2 came back.",
            "48",
            "264",
        ),
        true=(
            "Forty-eight people introduced themselves and 264 more joined silently.",
            "This week 312 people joined, 264 of them without an introduction.",
            "Seven people left and two came back.",
            "Of the 312 newcomers, two hundred and sixty-four joined without introducing themselves.",
            "48 members said hello.",
            "Forty-eight newcomers introduced themselves.",
            "Hundreds of people joined this week.",
        ),
        false={
            "number": (
                "Forty-nine people introduced themselves.",
                "Three hundred and twenty-one people joined.",
                "Eight people left and two came back.",
                "Thousands of people joined this week.",
                "Nearly 320 people joined.",
            ),
            "swap": (
                "264 people introduced themselves and 48 more joined silently.",
                "Two people left and seven came back.",
            ),
        },
    ),
    Case(
        facts=(
            "Enable strict mode by default\nPull request atlas/maps#1501\nState: draft\nAuthor: "
            "lwei\n\nStrict mode is enabled for all new maps; "
            "existing maps keep their setting. The checker passes 1,204 of 1,219 tiles and rejects "
            "15. Depends on atlas/maps#1498.",
            "Pull request atlas/maps#1498\nSpeed up the tile checker\nState: merged\nAuthor: Goran Petrov (gpetrov)\n\n"
            "The tile checker is 2.5x faster: 8.4 s to 3.36 s on the Alps set.",
            "atlas/maps#1501",
            "atlas/maps#1498",
        ),
        true=(
            (
                "lwei drafted a pull request that enables strict mode for all new maps "
                "([#1501](https://github.com/atlas/maps/pull/1501))."
            ),
            "Existing maps keep their setting, and 1,204 of 1,219 tiles pass the checker.",
            "Fifteen tiles are rejected.",
            "It depends on #1498, which was merged.",
            "Goran Petrov made the tile checker 2.5 times faster, from 8.4 s to 3.36 s on the Alps set (#1498).",
            "Petrov sped up the tile checker by a factor of 2.5.",
            "#1498 was merged, while #1501 is still a draft.",
            "Two pull requests concern the checker: #1498, merged, and #1501, still a draft.",
            "The Alps set is now checked in 3.36 seconds instead of 8.4.",
            "Strict mode becomes the default for new maps.",
        ),
        false={
            "state": (
                "lwei merged #1501, which enables strict mode.",
                "#1501 was merged, while #1498 is still a draft.",
                "#1498 is still open.",
                "lwei's #1501 was closed.",
            ),
            "contrary": (
                "Strict mode is disabled for all new maps.",
                "1,204 of 1,219 tiles fail the checker.",
                "Goran Petrov made the tile checker 2.5 times slower.",
            ),
            "name": (
                "Goran Petrov opened #1501 to enable strict mode.",
                "lwei made the tile checker 2.5x faster (#1498).",
                "Lena Weiss enabled strict mode (#1501).",
            ),
            "number": (
                "The checker passes 1,240 of 1,219 tiles.",
                "Three pull requests concern the checker: #1498 and #1501.",
                "The tile checker is 3x faster.",
                "It takes 3.63 s on the Alps set.",
            ),
            "direction": ("The checker went from 3.36 s to 8.4 s.", "Checking rose from 8.4 s to 3.36 s."),
            "reference": ("It depends on #1489.", "It depends on globe/maps#1498."),
        },
    ),
    Case(
        facts=(
            "Panel on soil sensors\nOn 2025-10-14\nannounced by Ruth Adeyemi",
            "Ruth Adeyemi in #announcements\n\nNext Tuesday, October 14, we have a panel on soil "
            "sensors with three growers. Bring questions! "
            "<@&99> Recording will be shared.",
        ),
        true=(
            "A panel on soil sensors is planned for October 14.",
            "Ruth Adeyemi announced a panel with three growers on Tuesday, October 14th.",
            "On 14 October three growers will sit on a panel about soil sensors.",
            "In #announcements, Adeyemi invited everyone to the panel on Oct 14.",
            "The recording will be shared.",
            "Coming up: a panel on soil sensors (2025-10-14).",
        ),
        false={
            "date": (
                "A panel on soil sensors is planned for October 15.",
                "A panel on soil sensors is planned for November 14.",
                "The panel takes place on Thursday, October 14.",
                "The panel takes place on 2025-10-04.",
            ),
            "number": ("Four growers will sit on the panel.",),
            "name": ("Ruth Okafor announced a panel on soil sensors.", "Alan Turing will speak on the panel."),
            "channel": ("In #events, Ruth Adeyemi announced the panel.",),
            "form": ("Ruth Adeyemi announced a panel <@&99>.",),
        },
    ),
    Case(
        facts=(
            "[store] Compact segments in the background\nPull request logbook/core#88\nState: "
            "closed\nAuthor: Pilar Ortega (portega)\n"
            "Closed by: Pilar Ortega (portega)\n\nCompaction moves to a background thread. p99 write "
            "latency 41 ms -> 9 ms, "
            "but 1.3 TB of segments took 5 days to catch up. Superseded by logbook/core#91.",
            "logbook/core#88",
        ),
        true=(
            "Pilar Ortega closed #88, which moved compaction to a background thread; it is superseded by #91.",
            "The p99 write latency went from 41 ms to 9 ms.",
            "Catching up on 1.3 TB of segments took five days.",
            "Ortega's attempt at background compaction was closed in favour of logbook/core#91.",
            "Write latency at p99 dropped to 9 milliseconds.",
            "#88 was closed without being merged.",
            "It needed 5 days for 1.3 TB.",
        ),
        false={
            "state": (
                "Pilar Ortega merged #88, which moves compaction to a background thread.",
                "#88 remains open.",
                "Pilar Ortega landed background compaction (#88).",
            ),
            "unit": (
                "The p99 write latency went from 41 s to 9 s.",
                "Catching up on 1.3 GB of segments took five days.",
                "Catching up took five hours.",
            ),
            "number": ("The p95 write latency went from 41 ms to 9 ms.", "Write latency fell to 6 ms."),
            "direction": ("Write latency rose from 41 ms to 9 ms.", "Write latency went from 9 ms to 41 ms."),
            "reference": ("It is superseded by #19.",),
        },
    ),
    Case(
        facts=(
            "Ames Whitfield\n\nHi all, I'm Ames, a marine biologist from Hobart. I count kelp from "
            "drone pictures and want to learn about "
            "segmentation. I have 12 years of dives behind me and 40,000 labelled pictures.",
        ),
        true=(
            "Ames Whitfield is a marine biologist from Hobart who counts kelp from drone pictures.",
            "Whitfield brings 40,000 labelled pictures and twelve years of dives.",
            "Among the newcomers is Ames, who wants to learn about segmentation.",
            "A marine biologist from Hobart, Ames Whitfield has 40 thousand labelled pictures.",
            "Ames Whitfield introduced themselves: “a marine biologist from Hobart”.",
        ),
        false={
            "number": ("Whitfield brings 14,000 labelled pictures.", "Whitfield has 40 million labelled pictures."),
            "name": (
                "Ames Whitfield is a marine biologist from Sydney.",
                "Ames Whitfield works at Google.",
                "Amy Whitfield is a marine biologist from Hobart.",
            ),
            "quote": ("Ames Whitfield wrote: “I love this community”.",),
            "invention": (
                (
                    "Previously employed at several prestigious universities, managing laboratories and "
                    "publishing bestsellers worldwide."
                ),
            ),
        },
    ),
    Case(
        facts=(
            "Sweep finished\nIssue lattice/lab#230\nState: closed\nAuthor: Kofi Mensah (kmensah)\n\n"
            "Loss by width: d256 3.412, d512 3.187, d1024 2.954. Best learning rate 6.4e-4; doubling "
            "the batch from 512 to 1024 costs 0.021. "
            "Linear decay beats cosine every time. Ran on 64 A100s for 9 days, 1.1e21 FLOPs, 2.4B tokens.",
            "lattice/lab#230",
        ),
        true=(
            "Kofi Mensah's sweep is finished and #230 is closed.",
            "Loss fell from 3.412 at d256 to 2.954 at d1024.",
            "The best learning rate is 6.4 × 10⁻⁴.",
            "Doubling the batch from 512 to 1,024 costs 0.021 in loss.",
            "Linear decay beat cosine in every case (#230).",
            "It ran on 64 A100 GPUs for nine days and saw 2.4 billion tokens.",
            "At d512 the loss is 3.187.",
            "Mensah spent 1.1 × 10²¹ FLOPs on sixty-four A100s.",
            "With a width of d1024 the loss reaches 2.954, against 3.187 for d512.",
            "Cosine lost to linear decay.",
        ),
        false={
            "number": (
                "The best learning rate is 6.4e-3.",
                "It saw 2.4 million tokens.",
                "It ran on 46 A100s.",
                "Loss at d512 is 3.178.",
            ),
            "swap": ("Loss is 2.954 at d256 and 3.412 at d1024.", "At d512 the loss is 2.954."),
            "contrary": ("Cosine beats linear decay every time.", "Halving the batch costs 0.021."),
            "name": ("It ran on 64 H100s for 9 days.", "Kofi Annan's sweep is finished."),
            "unit": ("It ran for 9 hours.",),
            "state": ("The sweep #230 is still open.",),
        },
    ),
]
