"""Lists of students as schools' systems export them: made up, but with everything that makes them messy."""

CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Essay 1 (101),Current Score\n"
    ",,,,,Manual Posting,\n"
    "    Points Possible,,,,,10,(read only)\n"
    '"O\'Brien, Zoë",4711,S-001,zobrien,Informatics 7b,9,90\n'
    '"García Márquez, José",4712,S-002,jgarcia,"Informatics 7b, Group 2",,\n'
    '"Student, Test",9999,,,Informatics 7b,,\n'
)
MOODLE = (
    "First name;Surname;ID number;Email address;Last downloaded from this course\n"
    "Zoë;O'Brien;S-001;zoe@school.example;1700000000\n"
    "José;García Márquez;S-002;jose@school.example;1700000000\n"
)
BLACKBOARD = (
    '"Last Name"\t"First Name"\t"Username"\t"Student ID"\t"Availability"\n'
    '"O\'Brien"\t"Zoë"\t"zobrien"\t"S-001"\t"Yes"\n'
    '"García Márquez"\t"José"\t"jgarcia"\t"S-002"\t"Yes"\n'
)
BRIGHTSPACE = (
    "OrgDefinedId,Username,Last Name,First Name,Email,End-of-Line Indicator\n"
    "#S-001,#zobrien,O'Brien,Zoë,zoe@school.example,#\n"
    "#S-002,#jgarcia,García Márquez,José,jose@school.example,#\n"
)
