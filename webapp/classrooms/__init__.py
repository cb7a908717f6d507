"""Classrooms: who teaches and who learns in them, how people join, the lesson, and what a class is asked."""
